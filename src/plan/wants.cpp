#include "plan/items.hpp"
#include "plan/moves.hpp"
#include "plan/planner.hpp"

#include <algorithm>

namespace pawl::plan {

ExecuteStep step_of(const Token& token) {
    return {
        token.id,
        token.node,
        token.attempt,
        token.visit,
        token.frame,
        token.came_to,
        token.since,
        token.undoes};
}

Wants wants(const RunState& state, Instant now) {
    Wants result;
    if (is_terminal(state.status) || !state.started) return result;
    const auto wake = [&](Instant at) {
        result.wake_at = result.wake_at ? std::min(*result.wake_at, at) : at;
    };
    if (state.deadline && !state.unwinding && !state.stopping) wake(*state.deadline);
    // Held before its next effect; time and messages wait with it.
    if (state.paused) return result;
    // All paths ended but the run did not: the log stops in the middle of a decision.
    // One whose plan is due waits for a worker that has its code.
    if (state.tokens.empty() && !state.plan_due) wake(now);
    for (const Token& token : state.tokens) {
        // Under way already; what has no holder any more is told by the next decision.
        if (token.withdrawn && token.phase != TokenPhase::waiting) {
            ++result.awaited;
            continue;
        }
        switch (token.phase) {
            case TokenPhase::arrived:
            case TokenPhase::routing: wake(now); break;
            case TokenPhase::waiting:
                // Without a time, only a message helps.
                if (token.until != Instant{} || token.waits_for.for_time()) {
                    wake(token.until);
                }
                break;
            case TokenPhase::resting: wake(token.until); break;
            // Others bring them on.
            case TokenPhase::joining: break;
            case TokenPhase::iterating:
                if (token.until == Instant{}) break;
                if (token.until > now || find_unfailed(state, token) != nullptr) wake(token.until);
                break;
            case TokenPhase::backoff:
                if (token.until > now) {
                    wake(token.until);
                    break;
                }
                [[fallthrough]];
            case TokenPhase::ready: result.steps.push_back(step_of(token)); break;
        }
    }
    return result;
}

}  // namespace pawl::plan
