#include "base/json.hpp"
#include "model/duration.hpp"
#include "plan/items.hpp"
#include "plan/locks.hpp"
#include "plan/loop_rounds.hpp"
#include "plan/moves.hpp"
#include "plan/planner.hpp"
#include "plan/reopen.hpp"
#include "plan/waits.hpp"

#include <algorithm>
#include <limits>

namespace pawl::plan {

namespace {

std::string_view text(const json::value* value) {
    return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                  : std::string_view();
}

void finish_as(
    const Definition& definition,
    RunState& state,
    const Token& token,
    StepRecord record,
    std::string_view handle
) {
    const TokenId id = token.id;
    const bool withdrawn = token.withdrawn;
    if (withdrawn) note_kept_end(state, id, handle);
    leave_record(definition, state, token, std::move(record));
    end_planned(state, id, handle);
    forget_mail(state, id);
    if (withdrawn) return end_withdrawn(definition, state, id);
    state.find_token(id)->maybe = false;
    leave_by(definition, state, id, handle);
    undo_next(definition, state);
}

void finish(
    const Definition& definition,
    RunState& state,
    const Token& token,
    json::value result,
    std::string_view handle
) {
    StepRecord record;
    record.result = std::move(result);
    finish_as(definition, state, token, std::move(record), handle);
}

StepRecord failed_record(const Token& token, const Event& event) {
    StepRecord record;
    record.error = step_error_from_json(event.error);
    record.maybe = token.maybe || find(event.data, "maybe") != nullptr;
    return record;
}

void complete_step(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase == TokenPhase::arrived) return;
    std::string_view handle = "default";
    const NodeType type = definition.nodes[token->node].type;
    if (type == NodeType::lock || type == NodeType::unlock) {
        pass_lock(state, *token, type, text(find(event.data, "key")));
        finish(definition, state, *token, nullptr, handle);
        return;
    }
    if (type == NodeType::condition) {
        const json::value* holds = find(event.data, "result");
        handle = holds != nullptr && holds->is_bool() && holds->get_bool() ? "true" : "false";
    }
    finish(definition, state, *token, event.data, handle);
}

// The step gave up, and somebody catches that: an error edge, an item that may fail, on_failure.
bool caught(const Definition& definition, RunState& state, const Token& token, const Event& event) {
    const std::string_view by = text(find(event.data, "caught"));
    const bool goes_on = definition.nodes[token.node].on_failure == OnFailure::continue_;
    const bool undoes = state.unwinding || token.undoes;
    if (by.empty() && !goes_on && !undoes) return false;
    const TokenId id = token.id;
    const FrameId frame = token.frame;
    if (token.undoes && by.empty() && !goes_on) {
        state.not_undone.push_back({*token.undoes, token.node, event.error});
    }
    if (by == "item") keep_item(state, frame);
    json::value error = event.error;
    const std::string_view late = text(find(event.data, "late"));
    if (json::object* object = error.if_object()) {
        (*object)["step"] = late.empty() ? std::string_view(event.node) : late;
    }
    state.find_token(id)->caught = error;
    forget_mail(state, id);
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    if (by == "item") {
        await_end(state, numbers(find(event.data, "withdrawn")));
        if (find(event.data, "last") != nullptr) begin_no_more(state, frame);
        StepRecord record = failed_record(token, event);
        if (record.maybe) {
            leave_record(definition, state, token, std::move(record));
            note_kept_maybe(state, id);
        }
        fail_item(definition, state, frame, error);
        return true;
    }
    leave_record(definition, state, token, failed_record(token, event));
    end_planned(state, id, "error");
    if (undoes && by.empty()) {
        end_path(definition, state, id);
    } else {
        leave_by(definition, state, id, by.empty() ? "default" : by);
    }
    undo_next(definition, state);
    return true;
}

void fail_step(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    const auto retry_at = whole_number(find(event.data, "retry_at"));
    if (retry_at && token->phase != TokenPhase::arrived) {
        if (token->attempt == std::numeric_limits<std::int16_t>::max()) return;
        // Unanswered, the next attempt repeats the same effect, whose answer may be here already.
        const bool waited = token->phase == TokenPhase::waiting;
        const bool answered = waited && find_addressed(state, *token) != nullptr;
        ++token->attempt;
        const NodeType type = definition.nodes[token->node].type;
        const bool waits = type == NodeType::wait || type == NodeType::human;
        token->phase = waits ? TokenPhase::resting : TokenPhase::backoff;
        token->until = instant_of(*retry_at);
        token->waits_for = nullptr;
        token->maybe = token->maybe || find(event.data, "maybe") != nullptr;
        if (answered) {
            token->since = token->attempt;
            forget_mail(state, token->id);
        }
        return;
    }
    const TokenId id = token->id;
    if (find(event.data, "abandoned") != nullptr) {
        leave_record(definition, state, *token, failed_record(*token, event));
        remove(state, id);
        return;
    }
    if (token->withdrawn) {
        leave_record(definition, state, *token, failed_record(*token, event));
        if (state.records.back().maybe) note_kept_maybe(state, id);
        end_planned(state, id, "error");
        forget_mail(state, id);
        end_withdrawn(definition, state, id);
        return;
    }
    if (caught(definition, state, *token, event)) return;
    StepRecord record = failed_record(*token, event);
    record.stopped = true;
    if (record.maybe) leave_record(definition, state, *token, std::move(record));
    // The run stops in the next event; until that is seen, the reason is remembered, and where.
    state.error = event.error;
    if (json::object* error = state.error.if_object()) (*error)["step"] = event.node;
    forget_mail(state, id);
    remove(state, id);
}

void pass_node(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    const TokenId id = token->id;
    const Node& node = definition.nodes[token->node];
    await_end(state, numbers(find(event.data, "withdrawn")));
    for (const TokenId gone : numbers(find(event.data, "cancelled"))) {
        if (gone != id) withdraw(definition, state, gone);
    }
    take_mail(state, find(event.data, "mail"));
    // Its time was over: what comes after may ask why.
    if (const json::value* error = find(event.data, "error")) state.find_token(id)->caught = *error;
    const std::string_view handle = text(find(event.data, "handle"));
    count_round(state, *state.find_token(id), node.type, handle);
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    const json::value* value = find(event.data, "value");
    if (node.type == NodeType::exit) {
        state.ended = true;
        if (value != nullptr) state.output = *value;
        state.error = event.error;
        remove(state, id);
        return;
    }
    if (value != nullptr || !definition.code.empty()) {
        StepRecord record;
        if (value != nullptr) record.result = *value;
        // Of a list with a child run for each item, the items are what is undone.
        const bool items = node.type == NodeType::foreach_ && node.config.contains("workflow");
        record.skipped = items || find(event.data, "undone") != nullptr;
        leave_record(definition, state, *state.find_token(id), std::move(record));
    }
    end_planned(state, id, handle);
    forget_mail(state, id);
    leave_by(definition, state, id, handle);
    undo_next(definition, state);
}

void route(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase != TokenPhase::routing) return;
    const auto edges = numbers(find(event.data, "edges"));
    leave_by_edges(definition, state, token->id, {edges.begin(), edges.end()});
    undo_next(definition, state);
}

void join(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase != TokenPhase::joining) return;
    const TokenId id = token->id;
    const NodeIndex node = token->node;
    if (find(event.data, "late") != nullptr) {
        end_path(definition, state, id);
        return;
    }
    for (const TokenId gone : numbers(find(event.data, "absorbed"))) {
        if (gone == id) continue;
        hand_over_locks(state, gone, id);
        hand_over_error(state, gone, id);
        hand_over_done(state, gone, id);
        end_path(definition, state, gone);
    }
    auto awaited = numbers(find(event.data, "withdrawn"));
    await_end(state, awaited);
    for (const TokenId gone : numbers(find(event.data, "cancelled"))) {
        if (gone != id) withdraw(definition, state, gone);
    }
    const auto undone = numbers(find(event.data, "undo"));
    undo_after(definition, state, std::move(awaited), {undone.begin(), undone.end()});
    if (auto late = numbers(find(event.data, "stragglers")); !late.empty()) {
        state.fired.push_back({node, std::move(late)});
    }
    leave_by(definition, state, id, "default");
}

void list_items(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token != nullptr) begin_items(definition, state, token->id, event.data);
}

void reopen_items(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token != nullptr) reopen(definition, state, token->id);
}

void skip_step(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    const TokenId id = token->id;
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    const auto awaited = numbers(find(event.data, "withdrawn"));
    await_end(state, awaited);
    for (const TokenId gone : numbers(find(event.data, "cancelled"))) {
        if (gone != id) withdraw(definition, state, gone);
    }
    const bool under_way = std::find(awaited.begin(), awaited.end(), id) != awaited.end();
    const json::value* value = find(event.data, "value");
    std::string_view handle = text(find(event.data, "handle"));
    if (handle.empty()) handle = "default";
    StepRecord record;
    if (value != nullptr) record.result = *value;
    record.skipped = true;
    if (!under_way) {
        const Token& left = *state.find_token(id);
        record.maybe = left.maybe || find(event.data, "maybe") != nullptr;
        return finish_as(definition, state, left, std::move(record), handle);
    }
    state.find_token(id)->withdrawn = false;
    const TokenId next = go_on_without(state, id);
    if (PlannedStep* planned = state.find_planned(id)) planned->token = next;
    finish_as(definition, state, *state.find_token(next), std::move(record), handle);
}

void end_run(RunState& state, RunStatus status) {
    state.status = status;
    clear_paths(state);
    state.mailbox.clear();
}

}  // namespace

Token* token_of(const Definition& definition, RunState& state, const Event& event) {
    Token* token = state.find_token(event.token);
    const bool fits = token != nullptr && token->node < definition.nodes.size() &&
                      token->attempt == event.attempt &&
                      definition.nodes[token->node].id == event.node;
    return fits ? token : nullptr;
}

void evolve(const Definition& definition, RunState& state, const Event& event) {
    if (event.seq >= state.next_seq && event.seq < std::numeric_limits<std::int32_t>::max()) {
        state.next_seq = event.seq + 1;
    }
    if (is_terminal(state.status)) return;
    if (!state.started && event.type != EventType::run_started) return;
    switch (event.type) {
        case EventType::run_started: start_run(definition, state, event); return;
        case EventType::step_completed: complete_step(definition, state, event); return;
        case EventType::step_failed: fail_step(definition, state, event); return;
        case EventType::wait_started: start_wait(definition, state, event); return;
        case EventType::node_passed: pass_node(definition, state, event); return;
        case EventType::routed: route(definition, state, event); return;
        case EventType::joined: join(definition, state, event); return;
        case EventType::signal_received: receive(state, event); return;
        case EventType::wait_noted: note_wait(definition, state, event); return;
        case EventType::planned: add_planned(definition, state, event); return;
        case EventType::run_paused:
            state.paused = true;
            if (find(event.data, "code") != nullptr) state.held = event.data;
            return;
        case EventType::run_resumed:
            state.paused = false;
            state.held = nullptr;
            return;
        case EventType::compensation_started: start_undoing(definition, state, event); return;
        case EventType::items_listed: list_items(definition, state, event); return;
        case EventType::items_reopened: reopen_items(definition, state, event); return;
        case EventType::step_skipped: skip_step(definition, state, event); return;
        // What it means for the places of the run: fold() of several versions, and repin().
        case EventType::run_repinned:
            if (find(event.data, "refused") == nullptr) {
                state.version = small(find(event.data, "version"));
            }
            return;
        case EventType::run_held: return;
        case EventType::run_stopping: stop_run(state, event); return;
        case EventType::run_completed:
            state.output = event.data;
            end_run(state, RunStatus::completed);
            return;
        case EventType::run_failed:
            state.error = event.error;
            end_run(state, RunStatus::failed);
            return;
        case EventType::run_cancelled:
            state.error = event.error;
            end_run(state, RunStatus::cancelled);
            return;
    }
}

}  // namespace pawl::plan
