#include "engine/start/start_limits.hpp"

#include "base/spoken.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::engine {

namespace {

constexpr Duration keep_limits = std::chrono::seconds(5);
constexpr Duration keep_count = std::chrono::seconds(1);

}  // namespace

bool StartLimits::asks_for_bytes(store::TenantId tenant) const {
    const auto known = states_.find(tenant);
    if (known == states_.end() || Steady::now() >= known->second.limits_until) return true;
    return known->second.limits.payload_bytes.has_value();
}

// The map's nodes stay where they are while others wait here.
asio::awaitable<std::optional<StartRefusal>> StartLimits::admit(
    store::Tenant tenant, std::size_t starts, std::size_t bytes, bool wait
) {
    using Reason = StartRefusal::Reason;
    State& state = states_[tenant.id];
    if (Steady::now() >= state.limits_until) {
        state.limits = co_await tenants_.limits(tenant.id);
        state.limits_until = Steady::now() + keep_limits;
    }
    const store::TenantLimits limits = state.limits;
    if (limits.payload_bytes && bytes > static_cast<std::size_t>(*limits.payload_bytes)) {
        std::string sentence = fmt::format(
            "the data of a run has {} bytes; your organization may give {}",
            bytes,
            *limits.payload_bytes
        );
        co_return StartRefusal{Reason::payload, std::move(sentence)};
    }
    if (limits.open_runs) {
        if (Steady::now() >= state.open_until) {
            const auto counted = co_await tenants_.count_open(tenant, *limits.open_runs);
            // Others may have asked at the same time: what was started since the first answer is in
            // the count that it left, and not in this one.
            if (Steady::now() >= state.open_until) {
                state.open = counted;
                state.open_until = Steady::now() + keep_count;
            }
        }
        const bool fits = state.open + static_cast<std::int64_t>(starts) <= *limits.open_runs;
        if (!fits && !(wait && state.open == 0)) {
            std::string sentence = fmt::format(
                "your organization may have {} open runs; try again when some have ended",
                *limits.open_runs
            );
            co_return StartRefusal{Reason::open_runs, std::move(sentence)};
        }
    }
    if (state.limits.starts_per_second && !state.filled_at) co_await fill(tenant, state);
    auto refusal = take(state, starts);
    if (!refusal) state.open += static_cast<std::int32_t>(starts);
    co_return refusal;
}

asio::awaitable<void> StartLimits::fill(store::Tenant tenant, State& state) {
    const std::int32_t rate = *state.limits.starts_per_second;
    const auto recent = co_await tenants_.count_recent_starts(tenant, rate);
    if (state.filled_at) co_return;  // another start was quicker
    state.tokens = std::max(0, rate - recent);
    state.filled_at = Steady::now();
}

// A second's worth may come at once.
std::optional<StartRefusal> StartLimits::take(State& state, std::size_t starts) {
    if (!state.limits.starts_per_second) return std::nullopt;
    const double rate = *state.limits.starts_per_second;
    const auto now = Steady::now();
    const std::chrono::duration<double> since = now - *state.filled_at;
    state.tokens = std::min(rate, state.tokens + since.count() * rate);
    state.filled_at = now;
    const auto wanted = static_cast<double>(starts);
    // More than that at once waits for a full measure, and takes it whole.
    if (state.tokens < std::min(wanted, rate)) {
        return StartRefusal{
            StartRefusal::Reason::rate,
            fmt::format(
                "your organization may start {} a second; try again in a second",
                counted(static_cast<std::uint64_t>(*state.limits.starts_per_second), "run")
            )};
    }
    state.tokens -= wanted;
    return std::nullopt;
}

}  // namespace pawl::engine
