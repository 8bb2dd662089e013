#include "plan/items.hpp"

#include "base/json.hpp"
#include "plan/moves.hpp"
#include "plan/reopen.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

constexpr std::uint32_t concurrency_default = 10;

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
    std::optional<std::int64_t> found, const Node& node, std::string_view key, std::int64_t usual
) {
    return found ? *found : whole_number(node.config.if_contains(key)).value_or(usual);
}

bool goes_on(const RunState& state, const Iteration& iteration) {
    if (iteration.halted) return false;
    if (!iteration.fail_fast) return true;
    // Those that have failed and wait for what they have under way count too.
    const auto failing =
        std::count_if(state.frames.begin(), state.frames.end(), [&](const Frame& frame) {
            return frame.token == iteration.token && !frame.closed && frame.error;
        });
    return iteration.failed + failing <= iteration.tolerated;
}

bool may_begin(const RunState& state, const Iteration& iteration) {
    if (iteration.open >= iteration.concurrency) return false;
    if (iteration.again.empty() && iteration.begun >= iteration.items.size()) return false;
    return goes_on(state, iteration);
}

// None of its items is under way: the next page is wanted, or what they came to is told.
void end_page(const RunState& state, const Iteration& iteration, Token& token) {
    const bool more = iteration.has_more_pages() && goes_on(state, iteration);
    token.phase = more ? TokenPhase::ready : TokenPhase::arrived;
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
        if (!iteration->in_pages()) {
            json::value& result = iteration->results[index];
            result = error == nullptr ? last_result(state, id) : nullptr;
            if (error != nullptr && !error->is_null()) result = json::object{{"error", *error}};
        }
        if (error != nullptr) {
            ++iteration->failed;
            iteration->failed_at = state.next_seq - 1;
            iteration->last_error = *error;
        }
    }
    if (error != nullptr) note_kept_undone(state, id);
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
    } else if (keeps_records(definition) || is_copied(state)) {
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
    if (iteration->open == 0 && token != nullptr) end_page(state, *iteration, *token);
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

}  // namespace

Frame* frame_of(RunState& state, FrameId id) {
    return const_cast<Frame*>(state.find_frame(id));
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

bool is_inside(const RunState& state, FrameId frame, FrameId around) {
    while (frame != around && frame != 0) {
        const Frame* item = state.find_frame(frame);
        frame = item == nullptr ? 0 : item->parent;
    }
    return frame == around;
}

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

void enter_item(const Definition& definition, RunState& state, FrameId frame, NodeIndex node) {
    if (definition.nodes[node].config.contains("workflow")) {
        return enter(definition, state, frame, node);
    }
    const bool scope = definition.nodes[node].type == NodeType::scope;
    bool entered = false;
    for (std::uint32_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        const bool body =
            edge.from == node && edge.handle == (scope ? "body" : "each") && edge.to != node;
        if (!body || edge.to >= definition.nodes.size()) continue;
        enter(definition, state, frame, edge.to, i);
        entered = true;
    }
    if (!entered) fail_item(definition, state, frame, nullptr);
}

void begin_more(const Definition& definition, RunState& state, TokenId id) {
    for (;;) {
        Iteration* iteration = state.find_iteration(id);
        if (iteration == nullptr || !may_begin(state, *iteration)) break;
        ++iteration->open;
        if (!iteration->again.empty()) {
            const FrameId failed = iteration->again.front();
            iteration->again.erase(iteration->again.begin());
            if (!begin_again(definition, state, failed, iteration->node)) --iteration->open;
            continue;
        }
        Frame frame;
        frame.id = state.next_frame++;
        frame.token = id;
        frame.parent = state.find_token(id)->frame;
        const std::uint32_t place = iteration->begun++;
        frame.index = iteration->before + place;
        frame.item = std::move(iteration->items[place]);
        iteration->items[place] = nullptr;
        const NodeIndex node = iteration->node;
        frame.scope = definition.nodes[node].type == NodeType::scope;
        const FrameId frame_id = frame.id;
        state.frames.push_back(std::move(frame));
        enter_item(definition, state, frame_id, node);
    }
}

void begin_no_more(RunState& state, FrameId item) {
    const Frame* frame = state.find_frame(item);
    Iteration* iteration = frame == nullptr ? nullptr : state.find_iteration(frame->token);
    if (iteration == nullptr) return;
    iteration->halted = true;
}

// The next page of a list has come.
static void begin_page(
    const Definition& definition, RunState& state, Iteration& iteration, const json::array& items
) {
    Token& token = *state.find_token(iteration.token);
    token.phase = TokenPhase::iterating;
    token.attempt = 1;
    token.since = 1;
    token.until = iteration.until;
    iteration.before += static_cast<std::uint32_t>(iteration.items.size());
    iteration.items = items;
    iteration.begun = 0;
    ++iteration.page;
    if (items.empty()) return end_page(state, iteration, token);
    begin_more(definition, state, iteration.token);
}

void begin_items(
    const Definition& definition, RunState& state, TokenId id, const events::ItemsListed& listed
) {
    Token* token = state.find_token(id);
    const json::array none_yet;
    const json::array* found = listed.items ? listed.items->if_array() : nullptr;
    if (found == nullptr && listed.pages_of) found = &none_yet;
    if (token == nullptr || found == nullptr) return;
    const json::array& items = *found;
    Iteration* begun = state.find_iteration(id);
    if (begun != nullptr && begun->in_pages()) return begin_page(definition, state, *begun, items);
    token->phase = TokenPhase::iterating;
    token->until = listed.until.value_or(Instant{});
    Iteration iteration;
    const Node& node = definition.nodes[token->node];
    iteration.concurrency = static_cast<std::uint32_t>(std::max<std::int64_t>(
        setting(listed.concurrency, node, "concurrency", concurrency_default), 1
    ));
    iteration.tolerated = setting(listed.tolerated_failures, node, "tolerated_failures", 0);
    iteration.fail_fast = listed.fail_fast;
    iteration.until = token->until;
    iteration.token = id;
    iteration.node = token->node;
    iteration.results.resize(items.size());
    iteration.items = items;
    if (listed.pages_of) iteration.source = events::read<events::PagedList>(*listed.pages_of);
    const bool none = iteration.items.empty();
    state.iterations.push_back(std::move(iteration));
    if (none) return end_page(state, state.iterations.back(), *token);
    begin_more(definition, state, id);
}

}  // namespace pawl::plan
