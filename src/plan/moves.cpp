#include "plan/moves.hpp"

#include "base/json.hpp"
#include "plan/items.hpp"
#include "plan/locks.hpp"
#include "plan/loop_rounds.hpp"
#include "plan/waits.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// A `query` anywhere in a condition.
bool holds_query(const json::value& value) {
    if (const auto* object = value.if_object()) {
        if (object->contains("query")) return true;
        return std::any_of(object->begin(), object->end(), [](const auto& member) {
            return member.key() != "value" && holds_query(member.value());
        });
    }
    const auto* list = value.if_array();
    return list != nullptr && std::any_of(list->begin(), list->end(), holds_query);
}

std::uint32_t count_visit(Visits& visits, NodeIndex node) {
    if (visits.size() <= node) visits.resize(node + 1);
    return ++visits[node];
}

void place(const Definition& definition, RunState& state, Token& token, NodeIndex node) {
    token.node = node;
    token.attempt = 1;
    token.since = 1;
    token.maybe = false;
    token.until = {};
    token.handle.clear();
    token.waits_for.clear();
    token.came_to.clear();
    token.turns.clear();
    token.phase = phase_on(definition.nodes[node]);
    Frame* frame = token.frame == 0 ? nullptr : frame_of(state, token.frame);
    token.visit = count_visit(frame == nullptr ? state.visits : frame->visits, node);
}

// A token that comes from a straggler is one too.
void inherit(RunState& state, TokenId from, TokenId to) {
    for (FiredJoin& join : state.fired) {
        const auto& ids = join.stragglers;
        if (std::find(ids.begin(), ids.end(), from) != ids.end()) join.stragglers.push_back(to);
    }
}

void erase(RunState& state, TokenId id) {
    std::erase_if(state.tokens, [id](const Token& token) { return token.id == id; });
    for (FiredJoin& join : state.fired) std::erase(join.stragglers, id);
    if (!state.fired.empty()) {
        std::erase_if(state.fired, [](const FiredJoin& join) { return join.stragglers.empty(); });
    }
    std::erase_if(state.locks, [id](const HeldLock& lock) { return lock.token == id; });
}

}  // namespace

void drop(RunState& state, TokenId id) {
    const Token* token = state.find_token(id);
    if (token != nullptr && (token->withdrawn || token->undoes)) return;
    std::vector<FrameId> items;
    for (const Frame& frame : state.frames) {
        if (frame.token == id && !frame.closed) items.push_back(frame.id);
    }
    for (const FrameId item : items) {
        for (const TokenId inner : tokens_in(state, item)) drop(state, inner);
        if (any_within(state, item)) continue;
        // What it did is perhaps undone, with its own item.
        const bool left =
            std::any_of(state.records.begin(), state.records.end(), [item](const StepRecord& one) {
                return one.frame == item;
            });
        if (left) {
            frame_of(state, item)->closed = true;
        } else {
            std::erase_if(state.frames, [item](const Frame& frame) { return frame.id == item; });
        }
    }
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    erase(state, id);
}

bool asks_database(const Node& node) {
    if (node.type != NodeType::condition) return false;
    return node.reads_person || holds_query(node.config);
}

bool settles_with_person(const Node& node) {
    if (!node.reads_person) return false;
    return node.type == NodeType::wait || node.type == NodeType::goal ||
           node.type == NodeType::human || node.type == NodeType::emit ||
           node.type == NodeType::switch_;
}

bool has_effect(const Node& node) {
    if (node.disabled) return false;
    return node.type < NodeType::wait || asks_database(node) || settles_with_person(node);
}

bool only_asks(const Node& node) {
    return asks_database(node) || settles_with_person(node);
}

TokenPhase phase_on(const Node& node) {
    if (node.disabled) return TokenPhase::arrived;
    if (node.type == NodeType::join) return TokenPhase::joining;
    return has_effect(node) ? TokenPhase::ready : TokenPhase::arrived;
}

void enter(
    const Definition& definition, RunState& state, FrameId frame, NodeIndex node, std::uint32_t via
) {
    Token token;
    token.id = frame == 0 ? 0 : state.next_token++;
    token.frame = frame;
    token.via = via;
    const Frame* item = state.find_frame(frame);
    const Token* owner = item == nullptr ? nullptr : state.find_token(item->token);
    if (owner != nullptr) token.caught = owner->caught;
    place(definition, state, token, node);
    // An item of a foreach with child runs stands on the foreach itself and has an effect there.
    const Frame* around = state.find_frame(frame);
    if (around != nullptr && !around->scope && definition.nodes[node].type == NodeType::foreach_ &&
        definition.nodes[node].config.contains("workflow")) {
        token.phase = TokenPhase::ready;
    }
    state.tokens.push_back(std::move(token));
}

TokenId add_token(const Definition& definition, RunState& state, NodeIndex node) {
    Token token;
    token.id = state.next_token++;
    place(definition, state, token, node);
    const TokenId id = token.id;
    state.tokens.push_back(std::move(token));
    return id;
}

void leave_by(const Definition& definition, RunState& state, TokenId id, std::string_view handle) {
    Token* token = state.find_token(id);
    if (token == nullptr) return;
    const NodeIndex from = token->node;
    std::size_t first = definition.edges.size();
    std::size_t count = 0;
    bool conditional = false;
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        if (edge.from != from || edge.handle != handle || edge.to >= definition.nodes.size()) {
            continue;
        }
        conditional = conditional || !edge.when.is_null();
        if (count++ == 0) first = i;
    }
    // As in a line: no list on the hot path.
    if (count == 1 && !conditional && token->frame == 0) {
        cross(definition, state, id, first);
        place(definition, state, *token, definition.edges[first].to);
        token->via = static_cast<std::uint32_t>(first);
        return;
    }
    if (conditional) {
        token->phase = TokenPhase::routing;
        token->handle = handle;
        token->waits_for.clear();
        return;
    }
    std::vector<std::size_t> edges;
    for (std::size_t i = first; i < definition.edges.size() && count > 0; ++i) {
        if (definition.edges[i].from == from && definition.edges[i].handle == handle) {
            edges.push_back(i);
        }
    }
    leave_by_edges(definition, state, id, edges);
}

void leave_by_edges(
    const Definition& definition, RunState& state, TokenId id, const std::vector<std::size_t>& edges
) {
    const Token* leaving = state.find_token(id);
    if (leaving == nullptr) return;
    const FrameId frame_id = leaving->frame;
    const NodeIndex from = leaving->node;
    const Frame* frame = frame_id == 0 ? nullptr : state.find_frame(frame_id);
    const Iteration* around = frame == nullptr ? nullptr : state.find_iteration(frame->token);
    const auto is_item_end = [&](NodeIndex node) { return around && around->node == node; };
    bool moved = false;
    std::vector<std::pair<TokenId, std::size_t>> walked;
    // The child run of an item was its whole body.
    const bool body_over = is_item_end(from);
    for (const std::size_t index : edges) {
        if (body_over || index >= definition.edges.size()) continue;
        const NodeIndex to = definition.edges[index].to;
        if (is_item_end(to) || to >= definition.nodes.size()) continue;
        if (!moved) {
            Token& token = *state.find_token(id);
            place(definition, state, token, to);
            token.via = static_cast<std::uint32_t>(index);
            moved = true;
            walked.emplace_back(id, index);
            continue;
        }
        Token split;
        split.id = state.next_token++;
        split.frame = frame_id;
        split.caught = state.find_token(id)->caught;
        split.done = state.find_token(id)->done;
        place(definition, state, split, to);
        split.via = static_cast<std::uint32_t>(index);
        inherit(state, id, split.id);
        walked.emplace_back(split.id, index);
        state.tokens.push_back(std::move(split));
    }
    for (const auto& [token, edge] : walked) cross(definition, state, token, edge);
    if (!moved) end_path(definition, state, id);
}

void end_path(const Definition& definition, RunState& state, TokenId id) {
    const Token* token = state.find_token(id);
    if (token == nullptr) return;
    const FrameId frame = token->frame;
    erase(state, id);
    if (!state.chains.empty()) go_on_undoing(definition, state, id);
    after_leaving(definition, state, frame);
}

void withdraw(const Definition& definition, RunState& state, TokenId id) {
    const Token* token = state.find_token(id);
    if (token == nullptr) return;
    const FrameId frame = token->frame;
    drop(state, id);
    after_leaving(definition, state, frame);
}

void remove(RunState& state, TokenId id) {
    erase(state, id);
}

TokenId go_on_without(RunState& state, TokenId id) {
    Token other = *state.find_token(id);
    other.id = state.next_token++;
    Token& left = *state.find_token(id);
    left.withdrawn = true;
    left.skipped = true;
    left.done.clear();
    inherit(state, id, other.id);
    hand_over_locks(state, id, other.id);
    const TokenId next = other.id;
    state.tokens.push_back(std::move(other));
    return next;
}

void hand_over_error(RunState& state, TokenId from, TokenId to) {
    const Token* gone = state.find_token(from);
    Token* left = state.find_token(to);
    if (gone != nullptr && left != nullptr && left->caught.is_null()) left->caught = gone->caught;
}

void clear_paths(RunState& state) {
    state.tokens.clear();
    state.iterations.clear();
    state.fired.clear();
    state.chains.clear();
    state.loops.clear();
    // Their steps may have to be undone, each with its own item.
    for (Frame& frame : state.frames) frame.closed = true;
}

bool undo(const Definition& definition, RunState& state, TokenId id, std::size_t record) {
    const NodeIndex undone = state.records[record].node;
    if (undone >= definition.nodes.size()) return false;
    const Token* standing = state.find_token(id);
    const auto node = definition.find(definition.nodes[undone].compensate);
    if (!node) return false;
    Token token;
    token.id = standing != nullptr ? id : state.next_token++;
    token.frame = state.records[record].frame;
    token.undoes = record;
    if (standing != nullptr) token.caught = standing->caught;
    place(definition, state, token, *node);
    if (standing != nullptr) {
        *state.find_token(id) = std::move(token);
    } else {
        state.tokens.push_back(std::move(token));
    }
    return true;
}

}  // namespace pawl::plan
