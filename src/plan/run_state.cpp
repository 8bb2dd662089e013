#include "plan/run_state.hpp"

#include <algorithm>

namespace pawl::plan {

Token* RunState::find_token(TokenId id) {
    for (Token& token : tokens) {
        if (token.id == id) return &token;
    }
    return nullptr;
}

const Token* RunState::find_token(TokenId id) const {
    return const_cast<RunState*>(this)->find_token(id);
}

const Frame* RunState::find_frame(FrameId id) const {
    // Their ids grow.
    const auto found =
        std::lower_bound(frames.begin(), frames.end(), id, [](const Frame& frame, FrameId wanted) {
            return frame.id < wanted;
        });
    return found != frames.end() && found->id == id ? &*found : nullptr;
}

Iteration* RunState::find_iteration(TokenId token) {
    for (Iteration& iteration : iterations) {
        if (iteration.token == token) return &iteration;
    }
    return nullptr;
}

}  // namespace pawl::plan
