#pragma once

#include "base/json.hpp"

namespace pawl {

// As parse_json, for what people and programs give us to keep: a whole number that neither 64 bits
// nor a double can hold would come out as another number, and is refused instead. What others
// answer (parse_json) is read as JavaScript reads it.
Result<json::value> parse_exact_json(std::string_view text, JsonLimits limits = {});

// The JSON text with every number that a double can hold written in as few digits as it needs.
// Postgres writes 1.7976931348623157e308 with 309 digits, and Boost.JSON, which reads digit by
// digit, then gets infinity.
std::string with_short_numbers(std::string_view text);

// The JSON text of a value with decimals as people write them: 99.95, where Boost.JSON writes
// 9.995E1.
std::string plain_json(const json::value& value);
void append_plain_json(std::string& out, const json::value& value);

// Whether a whole number, as it is written, is the same after it was read.
bool is_kept_exactly(std::string_view number);

}  // namespace pawl
