#include "sim/swarm.hpp"

namespace pawl::sim {

namespace {

double rate(Rng& rng, double most) {
    const bool on = chance(rng, 0.5);
    const double share = rng.unit() * most;
    return on ? share : 0;
}

std::size_t size(Rng& rng, std::size_t low, std::size_t high) {
    return low + rng.below(high - low + 1);
}

}  // namespace

Swarm draw_swarm(Rng& rng) {
    using std::chrono::milliseconds;
    Swarm swarm;
    swarm.workers = size(rng, 1, 4);
    swarm.lanes = size(rng, 1, 3);
    swarm.workflows = size(rng, 1, 3);
    swarm.runs = size(rng, 3, 16);
    swarm.runs_max = chance(rng, 0.3) ? size(rng, 1, 4) : 100;
    swarm.batch_events_max = chance(rng, 0.3) ? size(rng, 1, 3) : 100;
    swarm.claim_max = size(rng, 1, 10);
    swarm.hold_below = chance(rng, 0.3) ? milliseconds(0) : milliseconds(1000);
    swarm.actions = static_cast<int>(size(rng, 100, 600));
    swarm.request_lost = rate(rng, 0.2);
    swarm.reply_lost = rate(rng, 0.3);
    swarm.crash_before_effect = rate(rng, 0.03);
    swarm.crash_after_effect = rate(rng, 0.03);
    swarm.wake_lost = rate(rng, 1);
    swarm.wake_repeated = rate(rng, 0.5);
    swarm.crash = rate(rng, 1);
    swarm.declared_dead = rate(rng, 1);
    swarm.clock_jump = rate(rng, 1);
    swarm.drain = rate(rng, 1);
    swarm.cancel = rate(rng, 1);
    swarm.signals = rate(rng, 1.0);
    swarm.retryable = rate(rng, 0.4);
    swarm.permanent = rate(rng, 0.1);
    swarm.ambiguous = rate(rng, 0.2);
    swarm.slow = rate(rng, 0.3);
    swarm.at_once = rate(rng, 1);
    return swarm;
}

}  // namespace pawl::sim
