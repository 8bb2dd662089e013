#pragma once

#include "cli/console.hpp"
#include "store/store.hpp"

namespace pawl::cli {

// A run as every command shows it.
json::object to_json(const store::RunSummary& run);
json::object to_json(const Event& event);
std::vector<TableRow> details_of(const store::RunSummary& run);

bool is_closed(const store::RunSummary& run);
// "1.2 s", "3 m 20 s".
std::string human_duration(Duration duration);
// Seconds are enough for people.
std::string human_time(Instant at);
// A run's error in one line, or nothing.
std::string error_line(const json::value& error);

}  // namespace pawl::cli
