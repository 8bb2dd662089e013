#include "api/admission.hpp"

#include "api/problem.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr Duration keep_limits = std::chrono::seconds(5);
constexpr Duration keep_count = std::chrono::seconds(1);

[[noreturn]] void refuse_for_now(std::string_view code, std::string detail) {
    throw Refused({429, std::string(code), std::move(detail), {}, {{"Retry-After", "1"}}});
}

}  // namespace

asio::awaitable<void> Admission::admit(store::Tenant tenant, std::vector<const json::value*> data) {
    std::size_t largest = 0;
    State& state = states_[tenant.id];
    if (state.limits.payload_bytes || Steady::now() >= state.limits_until) {
        for (const json::value* one : data) {
            largest = std::max(largest, json::serialize(*one).size());
        }
    }
    co_await admit(tenant, data.size(), largest);
}

// The map's nodes stay where they are while others wait here.
asio::awaitable<void> Admission::admit(
    store::Tenant tenant, std::size_t starts, std::size_t bytes
) {
    State& state = states_[tenant.id];
    if (Steady::now() >= state.limits_until) {
        state.limits = co_await tenants_.limits(tenant.id);
        state.limits_until = Steady::now() + keep_limits;
    }
    const store::TenantLimits limits = state.limits;
    if (limits.payload_bytes && bytes > static_cast<std::size_t>(*limits.payload_bytes)) {
        refuse(
            413,
            "payload_too_large",
            fmt::format(
                "the data of a run has {} bytes; your organization may give {}",
                bytes,
                *limits.payload_bytes
            )
        );
    }
    if (limits.open_runs) {
        if (Steady::now() >= state.open_until) {
            state.open = co_await tenants_.count_open(tenant, *limits.open_runs);
            state.open_until = Steady::now() + keep_count;
        }
        if (state.open + static_cast<std::int64_t>(starts) > *limits.open_runs) {
            refuse_for_now(
                "too_many_open_runs",
                fmt::format(
                    "your organization may have {} open runs; try again when some have ended",
                    *limits.open_runs
                )
            );
        }
    }
    take(state, starts);
    state.open += static_cast<std::int32_t>(starts);
}

// A second's worth may come at once.
void Admission::take(State& state, std::size_t starts) {
    if (!state.limits.starts_per_second) return;
    const double rate = *state.limits.starts_per_second;
    const auto now = Steady::now();
    const std::chrono::duration<double> since = now - state.filled_at;
    state.tokens = std::min(rate, state.tokens + since.count() * rate);
    state.filled_at = now;
    const auto wanted = static_cast<double>(starts);
    // More than that at once waits for a full measure, and takes it whole.
    if (state.tokens < std::min(wanted, rate)) {
        refuse_for_now(
            "too_many_starts",
            fmt::format(
                "your organization may start {} runs a second; try again in a second",
                *state.limits.starts_per_second
            )
        );
    }
    state.tokens -= wanted;
}

}  // namespace pawl::api
