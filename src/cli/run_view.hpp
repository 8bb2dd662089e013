#pragma once

#include "api/shapes.hpp"
#include "base/spoken.hpp"
#include "cli/console.hpp"
#include "store/store.hpp"

namespace pawl::cli {

// As JSON everything looks like in the API.
using api::is_closed;
using api::to_json;

// A run as every command shows it.
std::vector<TableRow> details_of(const store::RunSummary& run);

// Seconds are enough for people.
std::string human_time(Instant at);
// A run's error in one line, or nothing.
std::string error_line(const json::value& error);

}  // namespace pawl::cli
