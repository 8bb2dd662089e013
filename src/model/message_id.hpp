#pragma once

#include "base/ids.hpp"

#include <string_view>

namespace pawl {

// The id of the message that a step sends: made of the step's idempotency key, so that all attempts
// of all workers have the same one.
Uuid message_id(std::string_view idempotency_key);

}  // namespace pawl
