#pragma once

#include "cli/console.hpp"
#include "cli/options.hpp"
#include "store/pg_store.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::cli {

struct Started {
    store::Tenant tenant;
    RunId run;
    bool existing = false;  // the correlation key had one already
};

// Looks at a run until it has ended, prints how, and returns the exit code: 0 only when it
// completed.
boost::asio::awaitable<int> wait_for_run(
    store::PgStore& store, const RunOptions& options, Started started
);

}  // namespace pawl::cli
