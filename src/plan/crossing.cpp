#include "plan/crossing.hpp"

#include "plan/moves.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace pawl::plan {

namespace {

constexpr std::uint32_t no_edge = 0xffffffff;

std::string described(const Node& node) {
    return fmt::format("'{}' ({})", node.id, name(node.type));
}

bool calls_children(const Node& node) {
    return node.type == NodeType::foreach_ && node.config.contains("workflow");
}

bool may_have_begun(TokenPhase phase) {
    return phase == TokenPhase::ready || phase == TokenPhase::backoff ||
           phase == TokenPhase::waiting;
}

}  // namespace

Crossing::Crossing(const Definition& from, const Definition& to, NodeMap map)
    : from_(from), to_(to), map_(std::move(map)) {
    equal_ = from_ == to_ && std::all_of(map_.begin(), map_.end(), [](const auto& pair) {
                 return pair.first == pair.second;
             });
    std::unordered_map<std::string_view, NodeIndex> ids;
    for (NodeIndex node = 0; node < to_.nodes.size(); ++node) ids.emplace(to_.nodes[node].id, node);
    for (const Node& node : from_.nodes) {
        const auto mapped = map_.find(node.id);
        const auto found = ids.find(mapped == map_.end() ? node.id : mapped->second);
        nodes_.push_back(found == ids.end() ? no_node : found->second);
    }
    using Way = std::tuple<NodeIndex, NodeIndex, std::string_view>;
    std::map<Way, std::uint32_t> ways;
    for (std::uint32_t i = 0; i < to_.edges.size(); ++i) {
        const Edge& edge = to_.edges[i];
        ways.emplace(Way(edge.from, edge.to, edge.handle), i);
    }
    for (const Edge& edge : from_.edges) {
        const auto found = ways.find(Way(target(edge.from), target(edge.to), edge.handle));
        edges_.push_back(found == ways.end() ? no_edge : found->second);
    }
}

void Crossing::carry_visits(Visits& visits) const {
    if (visits.empty()) return;
    Visits carried(to_.nodes.size());
    for (NodeIndex old = 0; old < visits.size() && old < from_.nodes.size(); ++old) {
        // Also under its old name, if another node has that now: no idempotency key comes twice.
        const auto namesake = to_.find(from_.nodes[old].id);
        for (const NodeIndex node : {target(old), namesake.value_or(no_node)}) {
            if (node != no_node) carried[node] = std::max(carried[node], visits[old]);
        }
    }
    while (!carried.empty() && carried.back() == 0) carried.pop_back();
    visits = std::move(carried);
}

// Of a token whose step was begun, or that waits for something others will bring.
std::optional<Obstacle> Crossing::carry_begun(Token& token, NodeIndex to) const {
    const Node& before = from_.nodes[token.node];
    const Node& after = to_.nodes[to];
    const auto refused = [&](std::string_view what) {
        return Obstacle{
            before.id,
            fmt::format(
                "{} {}, and {} cannot take that over", what, described(before), described(after)
            )};
    };
    if (after.type == NodeType::join && token.phase != TokenPhase::joining) {
        return refused("it has not been joined with others at");
    }
    switch (token.phase) {
        case TokenPhase::waiting:
            if (before.type != after.type) return refused("it waits at");
            break;
        case TokenPhase::iterating:
            if (before.type != after.type || calls_children(before) != calls_children(after)) {
                return refused("it is inside");
            }
            break;
        case TokenPhase::joining:
            if (after.type != NodeType::join) return refused("it waits for other branches at");
            if (token.via >= edges_.size() || edges_[token.via] == no_edge) {
                return refused("the edge by which it reached");
            }
            token.via = edges_[token.via];
            break;
        case TokenPhase::ready:
        case TokenPhase::backoff:
            if (calls_children(before) && token.frame != 0 && !calls_children(after)) {
                return refused("an item is under way at");
            }
            if (calls_children(before) && token.frame != 0) break;
            // What is switched off is left by the next decision, which knows what was begun.
            if (has_effect(after) || after.disabled) break;
            token.phase = phase_on(after);
            token.attempt = 1;
            token.since = 1;
            token.until = {};
            break;
        case TokenPhase::resting:
            token.phase = phase_on(after);
            token.attempt = 1;
            token.since = 1;
            token.until = {};
            break;
        case TokenPhase::arrived: token.phase = phase_on(after); break;
        case TokenPhase::routing: break;
    }
    return std::nullopt;
}

std::optional<Obstacle> Crossing::carry(Token& token, const RunState& state) const {
    if (token.node >= from_.nodes.size()) return Obstacle{"", "its log does not fit its version"};
    const Node& before = from_.nodes[token.node];
    const NodeIndex to = target(token.node);
    if (to == no_node) {
        return Obstacle{
            before.id,
            fmt::format("it stands on {}, which the new version does not have", described(before))};
    }
    // Its items have ended and their results are not recorded yet; or it reads more of them.
    const Iteration* iteration = state.find_iteration(token.id);
    const bool reads = iteration != nullptr &&
                       (token.phase == TokenPhase::ready || token.phase == TokenPhase::backoff);
    const bool listed = iteration != nullptr && (token.phase == TokenPhase::arrived || reads);
    if (listed && to_.nodes[to].type != NodeType::foreach_) {
        return Obstacle{
            before.id,
            fmt::format(
                "it is inside {}, which is no foreach in the new version", described(before)
            )};
    }
    if (!reads) {
        if (auto obstacle = carry_begun(token, to)) return obstacle;
    }
    if (to_.nodes[to].type != NodeType::agent) token.turns.clear();
    if (token.came_to.empty()) token.came_to = before.id;
    if (!may_have_begun(token.phase) || token.came_to == to_.nodes[to].id) token.came_to.clear();
    if (token.phase != TokenPhase::joining && token.via < edges_.size()) {
        token.via = edges_[token.via] == no_edge ? 0 : edges_[token.via];
    }
    token.node = to;
    return std::nullopt;
}

std::optional<Obstacle> Crossing::carry_records(RunState& state) const {
    for (StepRecord& record : state.records) {
        const NodeIndex old = record.node;
        record.node = target(old);
        const bool undoable =
            old < from_.nodes.size() && !record.error && !from_.nodes[old].compensate.empty();
        if (record.node == no_node && undoable) {
            return Obstacle{
                from_.nodes[old].id,
                fmt::format(
                    "it has done {}, which the new version does not have and could not undo",
                    described(from_.nodes[old])
                )};
        }
    }
    return std::nullopt;
}

// What cannot go on where it stood begins anew.
void Crossing::carry(KeptItem& item, const RunState& state) const {
    for (Iteration& one : item.iterations) {
        one.node = target(one.node);
        item.anew = item.anew || one.node == no_node;
    }
    for (LoopCount& one : item.loops) one.node = target(one.node);
    std::erase_if(item.loops, [](const LoopCount& one) { return one.node == no_node; });
    for (Frame& frame : item.frames) carry_visits(frame.visits);
    for (Token& token : item.tokens) item.anew = carry(token, state).has_value() || item.anew;
}

std::optional<Obstacle> Crossing::carry(RunState& state) const {
    if (is_terminal(state.status)) return Obstacle{"", "the run is over"};
    if (equal_) return std::nullopt;
    RunState carried = state;
    for (Token& token : carried.tokens) {
        if (auto obstacle = carry(token, state)) return obstacle;
    }
    if (auto obstacle = carry_records(carried)) return obstacle;
    for (Iteration& one : carried.iterations) one.node = target(one.node);
    for (FiredJoin& one : carried.fired) one.node = target(one.node);
    for (LoopCount& one : carried.loops) one.node = target(one.node);
    for (KeptItem& one : carried.kept) carry(one, state);
    for (PlannedStep& one : carried.planned) one.node = target(one.node);
    std::erase_if(carried.fired, [](const FiredJoin& one) { return one.node == no_node; });
    std::erase_if(carried.loops, [](const LoopCount& one) { return one.node == no_node; });
    carry_visits(carried.visits);
    for (Frame& frame : carried.frames) carry_visits(frame.visits);
    state = std::move(carried);
    return std::nullopt;
}

}  // namespace pawl::plan
