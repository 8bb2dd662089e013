#pragma once

#include "base/json.hpp"
#include "cli/globals.hpp"
#include "store/pg_store.hpp"

#include <string>

namespace pawl::cli {

// What a person says about a step of a run.
struct StepNote {
    const std::string& node;
    const std::string& by;
    const std::string& reason;
};
// Whether it can be kept.
Result<void> check_note(const StepNote& note);

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
