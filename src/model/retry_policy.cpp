#include "model/retry_policy.hpp"

#include "base/enum_names.hpp"

#include <algorithm>
#include <cmath>

namespace pawl {

namespace {

constexpr EnumNames<Ambiguous, 3> ambiguous_names{{"retry", "fail", "settle"}};

// A peer that asks for more than this is broken or hostile; it must not park a run for years.
constexpr Duration retry_after_max = std::chrono::hours(24);
// Keeps arithmetic on garbage policies far from overflow.
constexpr Duration wait_max = std::chrono::hours(24) * 3660;

double not_negative(double number) {
    return number > 0 ? number : 0;  // NaN becomes 0 too
}

}  // namespace

Duration backoff(
    const RetryPolicy& policy,
    int failed_attempt,
    double random,
    std::optional<Duration> retry_after
) {
    const double limit = static_cast<double>(wait_max.count());
    const double cap = std::min(not_negative(static_cast<double>(policy.cap.count())), limit);
    const double base = not_negative(static_cast<double>(policy.base.count()));
    const int exponent = std::max(failed_attempt, 1) - 1;
    const double growth = std::pow(not_negative(policy.factor), exponent);
    // min() first: with base 0 and an infinite growth the product would be NaN.
    const double wait = base == 0 ? 0 : std::min(base * std::min(growth, limit), cap);

    const double low = std::min(not_negative(policy.jitter_min), 1.0);
    const double high = std::clamp(not_negative(policy.jitter_max), low, 1.0);
    const double share = low + (high - low) * std::clamp(not_negative(random), 0.0, 1.0);
    // The cap holds, and waits at the cap still differ.
    const double spread = wait * (1 + share);
    const double total = spread <= cap ? spread : cap * (1 + share) / (1 + high);
    Duration result(static_cast<Duration::rep>(total));
    if (retry_after) result = std::max(result, std::min(*retry_after, retry_after_max));
    return result;
}

std::string_view name(Ambiguous ambiguous) {
    return ambiguous_names.name(ambiguous);
}

std::optional<Ambiguous> parse_ambiguous(std::string_view text) {
    return ambiguous_names.parse(text);
}

bool may_retry(const RetryPolicy& policy, int failed_attempt, ErrorClass error_class) {
    if (failed_attempt >= policy.attempts) return false;
    switch (error_class) {
        case ErrorClass::retryable: return true;
        case ErrorClass::permanent: return policy.permanent;
        case ErrorClass::ambiguous: return policy.ambiguous == Ambiguous::retry;
    }
    return false;
}

}  // namespace pawl
