#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// The `format`s of JSON Schema that are checked: date, date-time, time, email, uri, uuid.
bool is_known_format(std::string_view format);

// "must be a date like 2026-01-31" when the text is none; nothing when it is, or when the format is
// not known.
std::optional<std::string> format_problem(std::string_view format, std::string_view text);

}  // namespace pawl
