#include "plan/run_state.hpp"

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
    for (const Frame& frame : frames) {
        if (frame.id == id) return &frame;
    }
    return nullptr;
}

Iteration* RunState::find_iteration(TokenId token) {
    for (Iteration& iteration : iterations) {
        if (iteration.token == token) return &iteration;
    }
    return nullptr;
}

}  // namespace pawl::plan
