#include "plan/moves.hpp"

#include "base/json.hpp"
#include "plan/rounds.hpp"
#include "plan/waits.hpp"

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
    return const_cast<Frame*>(state.find_frame(id));
}

void place(const Definition& definition, RunState& state, Token& token, NodeIndex node) {
    token.node = node;
    token.attempt = 1;
    token.since = 1;
    token.maybe = false;
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

bool any_within(const RunState& state, FrameId outer) {
    return std::any_of(state.tokens.begin(), state.tokens.end(), [&](const Token& token) {
        return is_inside(state, token.frame, outer);
    });
}

// Takes a token away, and with a foreach everything in it; whatever it was part of does not hear.
// What is awaited or undoes something stays, and with it its item.
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

bool keeps_records(const Definition& definition) {
    return std::any_of(definition.nodes.begin(), definition.nodes.end(), [](const Node& node) {
        return !node.compensate.empty();
    });
}

// Whether what an item did is undone when it fails.
bool undoes_items(const Node& node) {
    const json::value* asked = node.config.if_contains("undo_failed_items");
    return node.type == NodeType::scope || (asked != nullptr && *asked == true);
}

// What was found out when the list was, else what the definition says.
std::int64_t setting(
    const json::value& listed, const Node& node, std::string_view key, std::int64_t usual
) {
    if (const auto found = whole_number(find(listed, key))) return *found;
    return whole_number(node.config.if_contains(key)).value_or(usual);
}

bool may_begin(const RunState& state, const Iteration& iteration) {
    if (iteration.open >= iteration.concurrency) return false;
    if (iteration.begun >= iteration.items.size()) return false;
    if (!iteration.fail_fast) return true;
    // Those that have failed and wait for what they have under way count too.
    const auto failing =
        std::count_if(state.frames.begin(), state.frames.end(), [&](const Frame& frame) {
            return frame.token == iteration.token && !frame.closed && frame.error;
        });
    return iteration.failed + failing <= iteration.tolerated;
}

// Begins as many items as may be under way at once.
void begin_more(const Definition& definition, RunState& state, TokenId id) {
    for (;;) {
        Iteration* iteration = state.find_iteration(id);
        if (iteration == nullptr || !may_begin(state, *iteration)) break;
        Frame frame;
        frame.id = state.next_frame++;
        frame.token = id;
        frame.parent = state.find_token(id)->frame;
        frame.index = iteration->begun++;
        frame.item = std::move(iteration->items[frame.index]);
        iteration->items[frame.index] = nullptr;
        ++iteration->open;
        const NodeIndex node = iteration->node;
        frame.scope = definition.nodes[node].type == NodeType::scope;
        const std::string_view way = frame.scope ? "body" : "each";
        const FrameId frame_id = frame.id;
        state.frames.push_back(std::move(frame));
        if (definition.nodes[node].config.contains("workflow")) {
            enter(definition, state, frame_id, node);
            continue;
        }
        bool first = true;
        for (std::uint32_t i = 0; i < definition.edges.size(); ++i) {
            const Edge& edge = definition.edges[i];
            const bool body = edge.from == node && edge.handle == way && edge.to != node;
            if (!body || edge.to >= definition.nodes.size()) continue;
            enter(definition, state, frame_id, edge.to, i);
            first = false;
        }
        if (first) fail_item(definition, state, frame_id, nullptr);
    }
}

json::value last_result(const RunState& state, FrameId frame) {
    for (auto record = state.records.rbegin(); record != state.records.rend(); ++record) {
        if (record->frame == frame && !record->undoing && !record->withdrawn) return record->result;
    }
    return nullptr;
}

// An item is over. The last one lets the foreach go on.
void close_item(
    const Definition& definition, RunState& state, FrameId id, const json::value* error
) {
    const Frame* frame = state.find_frame(id);
    if (frame == nullptr || frame->closed) return;
    if (error == nullptr && frame->error) error = &*frame->error;
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
    if (frame->scope) {
        // What it did is what was done around it.
        const FrameId around = frame->parent;
        for (StepRecord& record : state.records) {
            if (record.frame == id) record.frame = around;
        }
        for (Frame& inner : state.frames) {
            if (inner.parent == id) inner.parent = around;
        }
        std::erase_if(state.frames, [id](const Frame& one) { return one.id == id; });
    } else if (keeps_records(definition)) {
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

// Undoes the newest of what an item did; false when nothing is left.
bool undo_in_item(const Definition& definition, RunState& state, FrameId id) {
    for (std::size_t i = state.records.size(); i > 0; --i) {
        StepRecord& record = state.records[i - 1];
        if (!is_undoable(definition, record) || !is_inside(state, record.frame, id)) continue;
        record.undone = true;
        if (undo(definition, state, token_of_run, i - 1)) return true;
    }
    return false;
}

// A token of an item is gone: the item may end with it, or what it did is undone first.
void after_leaving(const Definition& definition, RunState& state, FrameId id) {
    while (id != 0) {
        const Frame* frame = state.find_frame(id);
        if (frame == nullptr || any_within(state, id)) return;
        const FrameId around = frame->parent;
        const Iteration* owner = state.find_iteration(frame->token);
        const bool stopped = state.stopping || state.unwinding;
        if (!frame->closed) {
            const bool undoes = frame->error && owner != nullptr && !stopped &&
                                undoes_items(definition.nodes[owner->node]);
            if (undoes && undo_in_item(definition, state, id)) return;
            close_item(definition, state, id, nullptr);
            // The foreach goes on.
            if (owner != nullptr) return;
        }
        // It was part of an item that ended; that one was perhaps waited for.
        id = around;
    }
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
    after_leaving(definition, state, frame);
}

void withdraw(const Definition& definition, RunState& state, TokenId id) {
    const Token* token = state.find_token(id);
    if (token == nullptr) return;
    const FrameId frame = token->frame;
    drop(state, id);
    after_leaving(definition, state, frame);
}

void fail_item(
    const Definition& definition, RunState& state, FrameId frame, const json::value& error
) {
    for (const TokenId inner : tokens_in(state, frame)) drop(state, inner);
    Frame* failed = frame_of(state, frame);
    if (failed == nullptr) return;
    failed->error = error;
    after_leaving(definition, state, frame);
}

const Token* find_unfailed(const RunState& state, const Token& owner) {
    for (const Token& token : state.tokens) {
        const Frame* frame = token.frame == 0 ? nullptr : state.find_frame(token.frame);
        const bool inside = frame != nullptr && frame->token == owner.id && !frame->closed;
        if (inside && !frame->error && !token.withdrawn && !token.undoes) return &token;
    }
    return nullptr;
}

void remove(RunState& state, TokenId id) {
    erase(state, id);
}

void begin_no_more(RunState& state, FrameId item) {
    const Frame* frame = state.find_frame(item);
    Iteration* iteration = frame == nullptr ? nullptr : state.find_iteration(frame->token);
    if (iteration != nullptr) {
        iteration->begun = static_cast<std::uint32_t>(iteration->items.size());
    }
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
    token->until = instant_in(listed, "until").value_or(Instant{});
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
