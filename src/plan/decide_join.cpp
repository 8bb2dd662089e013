#include "plan/decision.hpp"
#include "plan/moves.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

std::string_view mode_of(const Node& node) {
    const json::value* mode = node.config.if_contains("mode");
    return mode != nullptr && mode->is_string() ? std::string_view(mode->get_string()) : "chosen";
}

bool cancels_rest(const Node& node) {
    const json::value* flag = node.config.if_contains("cancel_rest");
    return flag != nullptr && flag->is_bool() && flag->get_bool();
}

// How many of the incoming edges must have brought a token.
std::size_t wanted(const Definition& definition, NodeIndex index) {
    const Node& node = definition.nodes[index];
    const std::string_view mode = mode_of(node);
    if (mode == "any") return 1;
    if (mode == "count") {
        return static_cast<std::size_t>(whole_number(node.config.if_contains("count")).value_or(1));
    }
    return static_cast<std::size_t>(std::count_if(
        definition.edges.begin(),
        definition.edges.end(),
        [index](const Edge& edge) { return edge.to == index; }
    ));
}

// Tokens of the same item that stand at this join, the oldest first; for `all`, one of each edge.
std::vector<TokenId> gathered(const RunState& state, const Token& at, bool one_of_each) {
    std::vector<TokenId> ids;
    std::vector<std::uint32_t> edges;
    for (const Token& token : state.tokens) {
        const bool here =
            token.phase == TokenPhase::joining && token.node == at.node && token.frame == at.frame;
        if (!here) continue;
        const bool repeated = std::find(edges.begin(), edges.end(), token.via) != edges.end();
        if (one_of_each && repeated) continue;
        edges.push_back(token.via);
        ids.push_back(token.id);
    }
    return ids;
}

// Tokens of the same item elsewhere that could still come to this join in this round. What waits at
// the head of a circle around it belongs to the next one.
std::vector<TokenId> on_their_way(const GraphLoops& loops, const RunState& state, const Token& at) {
    std::vector<TokenId> ids;
    for (const Token& token : state.tokens) {
        if (token.frame != at.frame || token.withdrawn || token.undoes) continue;
        const bool joins = token.phase == TokenPhase::joining;
        if (joins && (token.node == at.node || loops.holds(token.node, at.node))) continue;
        if (loops.reaches(token.node, at.node)) ids.push_back(token.id);
    }
    return ids;
}

}  // namespace

void Decision::fire(const Token& token, std::vector<TokenId> absorbed, bool cancel_rest) {
    events::Joined joined;
    joined.absorbed = std::move(absorbed);
    const std::string_view mode = mode_of(node_of(token));
    if (mode != "chosen") {
        auto late = on_their_way(loops(), state_, token);
        // Those of `all` belong to the next time: every edge has brought its own.
        const bool kept = mode == "all" && !cancel_rest;
        if (cancel_rest) {
            joined.withdrawal = withdrawal_of(late);
            if (undoes_rest(node_of(token))) {
                std::vector<TokenId> gone = joined.withdrawal.dropped;
                const auto& awaited = joined.withdrawal.awaited;
                gone.insert(gone.end(), awaited.begin(), awaited.end());
                for (const std::size_t record : done_by_rest(state_, gone)) {
                    joined.undo.push_back(static_cast<std::uint32_t>(record));
                }
            }
        } else if (!kept) {
            joined.stragglers = std::move(late);
        }
    }
    append_step(token, std::move(joined));
}

void Decision::let_in(const Token& token) {
    events::Joined joined;
    joined.late = true;
    append_step(token, std::move(joined));
}

// What is late for the last time is let in before anything counts for the next time.
bool Decision::let_in_late() {
    for (const FiredJoin& join : state_.fired) {
        for (const TokenId id : join.stragglers) {
            const Token* token = state_.find_token(id);
            if (token == nullptr || token->node != join.node) continue;
            if (token->phase != TokenPhase::joining) continue;
            let_in(*token);
            return true;
        }
    }
    return false;
}

bool Decision::settle_join(const Token& token) {
    const Node& node = node_of(token);
    const auto edges = gathered(state_, token, true);
    // All are counted from the place of the oldest.
    if (edges.empty() || edges[0] != token.id) return false;
    // A second one by the same edge counts for the next time of `all`, and is let in by the others.
    const auto here = mode_of(node) == "all" ? edges : gathered(state_, token, false);
    if (mode_of(node) == "chosen") {
        if (!on_their_way(loops(), state_, token).empty()) return false;
        fire(token, here, false);
        return true;
    }
    if (edges.size() < wanted(definition_, token.node)) return false;
    fire(token, here, cancels_rest(node));
    return true;
}

// Only when nothing else moves: a join that goes on may withdraw what waits at another one.
bool Decision::fail_incomplete_join() {
    for (const Token& token : state_.tokens) {
        if (token.phase != TokenPhase::joining) continue;
        if (gathered(state_, token, true).front() != token.id) continue;
        if (!on_their_way(loops(), state_, token).empty()) continue;
        fail_join(
            token,
            "not all the branches that it waits for were taken, and none can come any more; "
            "mode: chosen waits only for those that were taken"
        );
        return true;
    }
    return false;
}

// Once, for all that came.
void Decision::fail_join(const Token& token, std::string why) {
    std::vector<TokenId> others = gathered(state_, token, false);
    std::erase(others, token.id);
    const TokenId id = token.id;
    for (const TokenId other : others) {
        let_in(*state_.find_token(other));
    }
    fail_step(*state_.find_token(id), "join_incomplete", std::move(why));
}

// The join that goes first of those that wait for each other, and nothing else of their item is
// under way: the innermost one.
const Token* Decision::find_deadlocked() {
    const Token* first = nullptr;
    for (const Token& token : state_.tokens) {
        if (token.phase != TokenPhase::joining) continue;
        const bool moves =
            std::any_of(state_.tokens.begin(), state_.tokens.end(), [&](const Token& other) {
                return other.frame == token.frame && other.phase != TokenPhase::joining &&
                       !other.withdrawn && !other.undoes;
            });
        if (moves) continue;
        if (first == nullptr || loops().order(token.node) < loops().order(first->node)) {
            first = &token;
        }
    }
    return first;
}

bool Decision::break_deadlock() {
    const Token* token = find_deadlocked();
    if (token == nullptr) return false;
    if (mode_of(node_of(*token)) == "chosen") {
        fire(*token, gathered(state_, *token, false), false);
    } else {
        fail_join(*token, "the joins of the workflow wait for each other");
    }
    return true;
}

const GraphLoops& Decision::loops() {
    if (!loops_) loops_.emplace(definition_);
    return *loops_;
}

}  // namespace pawl::plan
