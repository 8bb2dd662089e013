#pragma once

#include "base/clock.hpp"
#include "cli/commands/finding.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::cli {

namespace asio = boost::asio;

// One of the checks that are a statement: sql/queries/doctor.sql.
struct RowCheck {
    const char* name;
    const pg::Query& query;
    enum class Takes { nothing, bucket, patience, bucket_and_patience } takes;
};

const std::vector<RowCheck>& row_checks();

// Its rows are findings: verdict, detail, what to do.
asio::awaitable<std::vector<Finding>> check_rows(
    pg::Connection& connection, RowCheck check, Duration patience
);

// Opens as many connections at a time as a worker does: a pooler, or a limit, may have fewer.
// Removes what is open of runs that are closed.
asio::awaitable<Finding> mend_runs(pg::Connection& connection);
asio::awaitable<Finding> check_room(pg::ConnectOptions connect);

}  // namespace pawl::cli
