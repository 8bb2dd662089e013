#pragma once

#include "base/clock.hpp"
#include "base/rng.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace pawl::sim {

// What one seed is like. Each draws its own rates, and many of them are zero: a fault that is
// always there hides what happens without it.
struct Swarm {
    std::size_t workers = 1;
    std::size_t lanes = 1;
    std::size_t workflows = 1;
    std::size_t runs = 10;
    std::size_t runs_max = 100;
    std::size_t batch_events_max = 100;
    std::size_t claim_max = 10;
    Duration hold_below{};
    int actions = 500;  // of the chaos phase

    // Chances per call.
    double request_lost = 0;
    double reply_lost = 0;
    double crash_before_effect = 0;
    double crash_after_effect = 0;
    // Chances per wake-up.
    double wake_lost = 0;
    double wake_repeated = 0;
    // Weights among the disturbances of the chaos phase.
    double crash = 0;
    double declared_dead = 0;
    double clock_jump = 0;
    double drain = 0;
    double cancel = 0;
    double signals = 0;
    // Chances per attempt of a step.
    double retryable = 0;
    double permanent = 0;
    double ambiguous = 0;
    double slow = 0;
    double at_once = 0;  // carried out inside the worker, without waiting
};

Swarm draw_swarm(Rng& rng);

// How often each thing happened, over all seeds: a guard against passing for lack of trouble.
using Tally = std::map<std::string, std::int64_t>;

// An invariant does not hold.
class Violation : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What is deliberately wrong, to prove that the invariants notice.
enum class Broken {
    nothing,
    fence_off,           // the store lets a worker write that was declared dead
    resend_skipped,      // the shell takes an unknown outcome for success
    early_effects,       // the shell executes before the commit is through
    lost_claim_ignored,  // the shell never asks what a lost claim has leased to it
    starts_asked_for,    // the shell asks for lost claims without naming its starts under way
    released_twice,      // a release is sent again, whatever was claimed meanwhile
    given_up_forgotten,  // the shell does not ask for the leases of a start it gave up
    signal_left_behind,  // the shell never looks for signals
    lease_unchecked,     // the store lets a worker write for runs that it does not hold
    old_signals_taken,   // the shell takes up messages that were consumed while it was looking
};

inline bool chance(Rng& rng, double share) {
    return rng.unit() < share;
}

inline Duration between(Rng& rng, Duration low, Duration high) {
    const auto span = static_cast<std::uint64_t>((high - low).count()) + 1;
    return low + Duration(static_cast<Duration::rep>(rng.below(span)));
}

}  // namespace pawl::sim
