#include "plan/planner.hpp"

#include <algorithm>

namespace pawl::plan {

Wants wants(const RunState& state, Instant now) {
    Wants result;
    if (is_terminal(state.status) || !state.started) return result;
    const auto wake = [&](Instant at) {
        result.wake_at = result.wake_at ? std::min(*result.wake_at, at) : at;
    };
    if (state.deadline) wake(*state.deadline);
    // All paths ended but the run did not: the log stops in the middle of a decision.
    if (state.tokens.empty()) wake(now);
    for (const Token& token : state.tokens) {
        switch (token.phase) {
            case TokenPhase::arrived: wake(now); break;
            case TokenPhase::waiting: wake(token.until); break;
            case TokenPhase::backoff:
                if (token.until > now) {
                    wake(token.until);
                    break;
                }
                [[fallthrough]];
            case TokenPhase::ready:
                result.steps.push_back({token.id, token.node, token.attempt, token.visit});
                break;
        }
    }
    return result;
}

}  // namespace pawl::plan
