#pragma once

#include "base/json.hpp"

#include <string>

namespace pawl {

// The JSON text of a value, the same bytes before it was stored and after: a jsonb column orders
// the keys of objects by length, then by bytes, and writes a whole number without an exponent.
// A peer that gets a request twice under one Idempotency-Key may compare its bytes. Decimals are
// written as plain_json writes them.
std::string canonical_json(const json::value& value);
void append_canonical_json(std::string& out, const json::value& value);

}  // namespace pawl
