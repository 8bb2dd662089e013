#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/spoken.hpp"
#include "cli/terminal/console.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

// A run as the API has it, as every command shows it.
std::vector<TableRow> details_of(const json::value& run);
bool is_closed(const json::value& run);

// Seconds are enough for people.
std::string human_time(Instant at);
// A run's error in one line, or nothing.
std::string error_line(const json::value& error);
// "not undone: charge, book (of CHILD)"; empty: all was undone.
std::string not_undone_line(const json::value& error);
// The status of a run; what could not be undone is part of how it ended.
std::string status_line(const json::value& run);

// Members of a document of the API. A text that is null or missing is empty.
std::string member(const json::value& document, std::string_view key);
std::int64_t number_member(const json::value& document, std::string_view key);
const json::value& value_member(const json::value& document, std::string_view key);
std::optional<Instant> time_member(const json::value& document, std::string_view key);
// As people read it; empty when there is none.
std::string human_time_member(const json::value& document, std::string_view key);

}  // namespace pawl::cli
