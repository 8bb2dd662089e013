#pragma once

#include "base/clock.hpp"
#include "http/client.hpp"
#include "model/step_error.hpp"

#include <optional>

namespace pawl::steps {

// The whole policy of what a failed HTTP exchange means for a retry; nothing for a 2xx response.
// `now` turns a date in Retry-After into a wait.
//
//   408, 425, 429, 5xx              retryable, honours Retry-After
//   3xx (not followed), other 4xx   permanent
//   not sent, for lack of a peer    retryable
//   sent, no whole answer           ambiguous
//   unsendable, too large, forbidden address   permanent
std::optional<StepError> classify(const http::Outcome& outcome, Instant now);

// An answer that came, but cannot be used or stored.
StepError unusable_answer(std::string message);

}  // namespace pawl::steps
