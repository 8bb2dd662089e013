#pragma once

#include "base/json.hpp"
#include "cli/globals.hpp"
#include "store/pg_store.hpp"

#include <string>

namespace pawl::cli {

// Sends a run a message, prints that, and returns the exit code. The globals outlive the call.
boost::asio::awaitable<int> send_signal(
    store::PgStore& store,
    store::Tenant tenant,
    const Globals& globals,
    RunId id,
    std::string kind,
    json::object data
);

}  // namespace pawl::cli
