#pragma once

#include "base/json.hpp"

#include <string>
#include <string_view>

namespace pawl::sandbox {

// What LINE finds wrong with message objects: {message, property} each; empty: nothing.
json::array check_line_messages(const json::value* messages);

// A user, group or room: U, C or R and 32 hex digits.
bool is_line_id(std::string_view text, std::string_view kinds);

// The first text of the messages, for people.
std::string line_text(const json::value& messages);

}  // namespace pawl::sandbox
