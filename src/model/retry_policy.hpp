#pragma once

#include "base/clock.hpp"
#include "model/step_error.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace pawl {

// What becomes of a step whose request may have been accepted, or not.
enum class Ambiguous {
    retry,   // the peer tells a second request by its idempotency key, or it does no harm
    fail,    // the step fails
    settle,  // the step waits until the peer, or a person, says how it ended
};

std::string_view name(Ambiguous ambiguous);
std::optional<Ambiguous> parse_ambiguous(std::string_view text);

// How often and how fast a failed step is tried again. Defaults: 5 attempts, 1 s doubling up to 1
// h, 10-40 % jitter.
struct RetryPolicy {
    int attempts = 5;                         // the first try included; at least 1
    Duration base = std::chrono::seconds(1);  // wait after the first failure
    double factor = 2.0;
    Duration cap = std::chrono::hours(1);
    double jitter_min = 0.1;  // share of the wait that is added at random
    double jitter_max = 0.4;
    Ambiguous ambiguous = Ambiguous::retry;
    bool permanent = false;  // also what trying again cannot help by itself

    bool operator==(const RetryPolicy&) const = default;
};

// base * factor^(n-1) plus jitter, capped; a longer Retry-After from the peer wins. `random` is in
// [0, 1).
Duration backoff(
    const RetryPolicy& policy,
    int failed_attempt,
    double random,
    std::optional<Duration> retry_after
);

// Whether a failure of this class on this attempt is tried again.
bool may_retry(const RetryPolicy& policy, int failed_attempt, ErrorClass error_class);

}  // namespace pawl
