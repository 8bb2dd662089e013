#include "plan/moves.hpp"

#include "base/json.hpp"
#include "plan/rounds.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

constexpr std::uint32_t concurrency_default = 10;

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

Frame* frame_of(RunState& state, FrameId id) {
    for (Frame& frame : state.frames) {
        if (frame.id == id) return &frame;
    }
    return nullptr;
}

void place(const Definition& definition, RunState& state, Token& token, NodeIndex node) {
    token.node = node;
    token.attempt = 1;
    token.since = 1;
    token.until = {};
    token.handle.clear();
    token.waits_for = nullptr;
    token.came_to.clear();
    token.phase = phase_on(definition.nodes[node]);
    Frame* frame = token.frame == 0 ? nullptr : frame_of(state, token.frame);
    token.visit = count_visit(frame == nullptr ? state.visits : frame->visits, node);
}

// Whoever comes from a straggler is one too.
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

std::vector<TokenId> tokens_in(const RunState& state, FrameId frame) {
    std::vector<TokenId> ids;
    for (const Token& token : state.tokens) {
        if (token.frame == frame) ids.push_back(token.id);
    }
    return ids;
}

bool any_in(const RunState& state, FrameId frame) {
    return std::any_of(state.tokens.begin(), state.tokens.end(), [frame](const Token& token) {
        return token.frame == frame;
    });
}

// Takes a token away, and with a foreach everything in it; whatever it was part of does not hear.
void drop(RunState& state, TokenId id) {
    std::vector<FrameId> items;
    for (const Frame& frame : state.frames) {
        if (frame.token == id && !frame.closed) items.push_back(frame.id);
    }
    for (const FrameId item : items) {
        for (const TokenId inner : tokens_in(state, item)) drop(state, inner);
        std::erase_if(state.frames, [item](const Frame& frame) { return frame.id == item; });
    }
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    erase(state, id);
}

bool keeps_records(const Definition& definition) {
    return std::any_of(definition.nodes.begin(), definition.nodes.end(), [](const Node& node) {
        return !node.compensate.empty();
    });
}

// What was found out when the list was, else what the definition says.
std::int64_t setting(
    const json::value& listed, const Node& node, std::string_view key, std::int64_t usual
) {
    if (const auto found = whole_number(find(listed, key))) return *found;
    return whole_number(node.config.if_contains(key)).value_or(usual);
}

bool may_begin(const Iteration& iteration) {
    const bool lost = iteration.fail_fast && iteration.failed > iteration.tolerated;
    return !lost && iteration.open < iteration.concurrency &&
           iteration.begun < iteration.items.size();
}

// Begins as many items as may be under way at once.
void begin_more(const Definition& definition, RunState& state, TokenId id) {
    for (;;) {
        Iteration* iteration = state.find_iteration(id);
        if (iteration == nullptr || !may_begin(*iteration)) break;
        Frame frame;
        frame.id = state.next_frame++;
        frame.token = id;
        frame.parent = state.find_token(id)->frame;
        frame.index = iteration->begun++;
        frame.item = std::move(iteration->items[frame.index]);
        iteration->items[frame.index] = nullptr;
        ++iteration->open;
        const NodeIndex node = iteration->node;
        const FrameId frame_id = frame.id;
        state.frames.push_back(std::move(frame));
        if (definition.nodes[node].config.contains("workflow")) {
            enter(definition, state, frame_id, node);
            continue;
        }
        bool first = true;
        for (std::uint32_t i = 0; i < definition.edges.size(); ++i) {
            const Edge& edge = definition.edges[i];
            const bool body = edge.from == node && edge.handle == "each" && edge.to != node;
            if (!body || edge.to >= definition.nodes.size()) continue;
            enter(definition, state, frame_id, edge.to, i);
            first = false;
        }
        if (first) fail_item(definition, state, frame_id, nullptr);
    }
}

json::value last_result(const RunState& state, FrameId frame) {
    for (auto record = state.records.rbegin(); record != state.records.rend(); ++record) {
        if (record->frame == frame) return record->result;
    }
    return nullptr;
}

// An item is over. The last one lets the foreach go on.
void close_item(
    const Definition& definition, RunState& state, FrameId id, const json::value* error
) {
    const Frame* frame = state.find_frame(id);
    if (frame == nullptr || frame->closed) return;
    const TokenId owner = frame->token;
    const std::uint32_t index = frame->index;
    Iteration* iteration = state.find_iteration(owner);
    if (iteration != nullptr) {
        --iteration->open;
        iteration->results[index] = error == nullptr ? last_result(state, id) : nullptr;
        if (error != nullptr) {
            if (!error->is_null()) iteration->results[index] = json::object{{"error", *error}};
            ++iteration->failed;
            iteration->last_error = *error;
        }
    }
    std::erase_if(state.loops, [id](const LoopCount& loop) { return loop.frame == id; });
    if (keeps_records(definition)) {
        frame_of(state, id)->closed = true;
    } else {
        std::erase_if(state.records, [id](const StepRecord& record) { return record.frame == id; });
        std::erase_if(state.frames, [id](const Frame& one) { return one.id == id; });
    }
    if (iteration == nullptr) return;
    begin_more(definition, state, owner);
    iteration = state.find_iteration(owner);
    Token* token = state.find_token(owner);
    // Looked at again when all items are over.
    if (iteration->open == 0 && token != nullptr) token->phase = TokenPhase::arrived;
}

}  // namespace

bool asks_database(const Node& node) {
    return node.type == NodeType::condition && holds_query(node.config);
}

bool has_effect(const Node& node) {
    return node.type < NodeType::wait || asks_database(node);
}

TokenPhase phase_on(const Node& node) {
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
    if (frame != 0 && definition.nodes[node].type == NodeType::foreach_ &&
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
        token->waits_for = nullptr;
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
    if (frame != 0 && !any_in(state, frame)) close_item(definition, state, frame, nullptr);
}

void withdraw(const Definition& definition, RunState& state, TokenId id) {
    const Token* token = state.find_token(id);
    if (token == nullptr) return;
    const FrameId frame = token->frame;
    drop(state, id);
    if (frame != 0 && !any_in(state, frame)) close_item(definition, state, frame, nullptr);
}

void fail_item(
    const Definition& definition, RunState& state, FrameId frame, const json::value& error
) {
    for (const TokenId inner : tokens_in(state, frame)) drop(state, inner);
    close_item(definition, state, frame, &error);
}

void hand_over_error(RunState& state, TokenId from, TokenId to) {
    const Token* gone = state.find_token(from);
    Token* left = state.find_token(to);
    if (gone != nullptr && left != nullptr && left->caught.is_null()) left->caught = gone->caught;
}

bool is_inside(const RunState& state, FrameId frame, FrameId around) {
    while (frame != around && frame != 0) {
        const Frame* item = state.find_frame(frame);
        frame = item == nullptr ? 0 : item->parent;
    }
    return frame == around;
}

void begin_items(
    const Definition& definition, RunState& state, TokenId id, const json::value& listed
) {
    Token* token = state.find_token(id);
    const json::value* list = find(listed, "items");
    if (token == nullptr || list == nullptr || !list->is_array()) return;
    const json::array& items = list->get_array();
    token->phase = TokenPhase::iterating;
    Iteration iteration;
    const Node& node = definition.nodes[token->node];
    iteration.concurrency = static_cast<std::uint32_t>(
        std::max<std::int64_t>(setting(listed, node, "concurrency", concurrency_default), 1)
    );
    iteration.tolerated = setting(listed, node, "tolerated_failures", 0);
    const json::value* fast = find(listed, "fail_fast");
    iteration.fail_fast = fast != nullptr && *fast == true;
    iteration.token = id;
    iteration.node = token->node;
    iteration.results.resize(items.size());
    iteration.items = items;
    const bool none = iteration.items.empty();
    state.iterations.push_back(std::move(iteration));
    if (none) {
        token->phase = TokenPhase::arrived;
        return;
    }
    begin_more(definition, state, id);
}

void clear_paths(RunState& state) {
    state.tokens.clear();
    state.iterations.clear();
    state.fired.clear();
    state.loops.clear();
    std::erase_if(state.frames, [](const Frame& frame) { return !frame.closed; });
}

void undo_next(const Definition& definition, RunState& state) {
    if (!state.unwinding || !state.tokens.empty()) return;
    while (!state.unwinding->left.empty()) {
        const StepRecord record = state.records[state.unwinding->left.back()];
        state.unwinding->left.pop_back();
        if (record.node >= definition.nodes.size()) continue;
        const auto undo = definition.find(definition.nodes[record.node].compensate);
        if (!undo) continue;
        Token token;
        token.id = state.next_token++;
        token.frame = record.frame;
        place(definition, state, token, *undo);
        state.tokens.push_back(std::move(token));
        return;
    }
}

}  // namespace pawl::plan
