#include "plan/loop_rounds.hpp"

#include "model/graph_loops.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

std::vector<LoopCount>::iterator find_count(RunState& state, NodeIndex node, FrameId frame) {
    return std::find_if(state.loops.begin(), state.loops.end(), [&](const LoopCount& one) {
        return one.node == node && one.frame == frame;
    });
}

}  // namespace

void count_round(RunState& state, const Token& token, NodeType type, std::string_view handle) {
    if (type != NodeType::loop) return;
    const auto found = find_count(state, token.node, token.frame);
    if (handle != "each") {
        if (found != state.loops.end()) state.loops.erase(found);
    } else if (found == state.loops.end()) {
        state.loops.push_back({token.node, token.frame, 1});
    } else {
        ++found->rounds;
    }
}

void cross(const Definition& definition, RunState& state, TokenId token, std::size_t edge) {
    const NodeIndex to = definition.edges[edge].to;
    const Token* walking = state.find_token(token);
    const FrameId frame = walking == nullptr ? 0 : walking->frame;
    const auto count = find_count(state, to, frame);
    const bool counted = count != state.loops.end();
    if (!counted && state.fired.empty()) return;
    const GraphLoops loops(definition);
    if (counted && !loops.is_body(to, definition.edges[edge].from)) state.loops.erase(count);
    for (FiredJoin& join : state.fired) {
        if (join.node < definition.nodes.size() && loops.begins_anew(edge, join.node)) {
            std::erase(join.stragglers, token);
        }
    }
    std::erase_if(state.fired, [](const FiredJoin& join) { return join.stragglers.empty(); });
}

}  // namespace pawl::plan
