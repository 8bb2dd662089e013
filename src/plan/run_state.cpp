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

std::size_t Iteration::size() const {
    if (!in_pages()) return results.size();
    return static_cast<std::size_t>(
        std::max<std::int64_t>(source->count.value_or(0), before + std::int64_t(items.size()))
    );
}

bool Iteration::has_more_pages() const {
    return in_pages() && source->pages.value_or(0) > page;
}

const Iteration* RunState::find_iteration(TokenId token) const {
    return const_cast<RunState*>(this)->find_iteration(token);
}

Iteration* RunState::find_iteration(TokenId token) {
    for (Iteration& iteration : iterations) {
        if (iteration.token == token) return &iteration;
    }
    return nullptr;
}

}  // namespace pawl::plan
