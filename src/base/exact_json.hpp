#pragma once

#include "base/json.hpp"

namespace pawl {

// As parse_json, for what people and programs give us to keep: a whole number that neither 64 bits
// nor a double can hold would come out as another number, and is refused instead. What others
// answer (parse_json) is read as JavaScript reads it.
Result<json::value> parse_exact_json(std::string_view text, JsonLimits limits = {});

// Whether a whole number, as it is written, is the same after it was read.
bool is_kept_exactly(std::string_view number);

}  // namespace pawl
