#pragma once

#include "cli/door/door.hpp"

#include <string>

namespace pawl::cli {

// A job as the API has it. Watched until it is over; a server works on it. Both outlive the call.
asio::awaitable<Result<json::value>> watch_job(Door& door, const Globals& globals, json::value job);

// What it does, in a word: cancel, migrate, impact, replay ...
std::string job_action(const json::value& job);

// Says what came of it; returns the exit code.
int print_job(const Globals& globals, const json::value& job);

}  // namespace pawl::cli
