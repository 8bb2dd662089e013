#include "model/events/error_data.hpp"
#include "model/events/list_events.hpp"
#include "model/events/step_events.hpp"
#include "model/events/whole_run_events.hpp"
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

// An attempt that failed: the event, and what its data says.
struct FailedAttempt {
    const Event& event;
    events::StepFailed said;
};

StepRecord failed_record(const Token& token, const FailedAttempt& failure) {
    StepRecord record;
    record.error = step_error_from_json(failure.event.error);
    record.maybe = token.maybe || failure.said.maybe;
    return record;
}

// Those that nothing is under way of go, the others are awaited.
void withdraw_all(
    const Definition& definition,
    RunState& state,
    const events::Withdrawal& withdrawal,
    TokenId stays
) {
    await_end(state, withdrawal.awaited);
    for (const TokenId gone : withdrawal.dropped) {
        if (gone != stays) withdraw(definition, state, gone);
    }
}

void complete_step(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase == TokenPhase::arrived) return;
    std::string_view handle = "default";
    const NodeType type = definition.nodes[token->node].type;
    if (type == NodeType::lock || type == NodeType::unlock) {
        pass_lock(state, *token, type, events::read<events::LockPassed>(event).key);
        finish(definition, state, *token, nullptr, handle);
        return;
    }
    if (type == NodeType::condition) {
        handle = events::read<events::ConditionJudged>(event).holds ? "true" : "false";
    }
    if (type == NodeType::agent) {
        const std::string_view decided = events::read<events::AgentEnded>(event).decision;
        if (!decided.empty() && definition.next(token->node, decided)) handle = decided;
    }
    if (type == NodeType::message && definition.next(token->node, "skipped")) {
        if (events::read<events::MessageEnded>(event).state == "skipped") handle = "skipped";
    }
    finish(definition, state, *token, event.data, handle);
}

// Whatever attempt it was: a retry of the run leaves out those that failed.
void advance_step(const Definition& definition, RunState& state, const Event& event) {
    Token* token = state.find_token(event.token);
    if (token == nullptr || token->node >= definition.nodes.size()) return;
    const Node& node = definition.nodes[token->node];
    if (node.type != NodeType::agent || node.id != event.node) return;
    const auto advanced = events::read<events::StepAdvanced>(event);
    if (advanced.turn != static_cast<std::int64_t>(token->turns.size())) return;
    token->turns.push_back(event.data);
    token->phase = TokenPhase::ready;
    token->attempt = 1;
    token->since = 1;
    token->until = {};
    token->maybe = false;
    token->waits_for.clear();
}

// The step gave up, and the definition catches that: an error edge, a tolerated item, on_failure.
bool is_caught(
    const Definition& definition, RunState& state, const Token& token, const FailedAttempt& failure
) {
    const Event& event = failure.event;
    const std::string_view by = failure.said.caught;
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
    const std::string_view late = failure.said.late;
    events::set_place(error, {late.empty() ? std::string_view(event.node) : late});
    state.find_token(id)->caught = error;
    forget_mail(state, id);
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    if (by == "item") {
        await_end(state, failure.said.withdrawal.awaited);
        if (failure.said.last) begin_no_more(state, frame);
        StepRecord record = failed_record(token, failure);
        if (record.maybe) {
            leave_record(definition, state, token, std::move(record));
            note_kept_maybe(state, id);
        }
        fail_item(definition, state, frame, error);
        return true;
    }
    leave_record(definition, state, token, failed_record(token, failure));
    end_planned(state, id, "error");
    if (undoes && by.empty()) {
        end_path(definition, state, id);
    } else {
        leave_by(definition, state, id, by.empty() ? "default" : by);
    }
    undo_next(definition, state);
    return true;
}

// It is tried again. Unanswered, the next attempt repeats the same effect, whose answer may be here
// already.
void back_off(
    const Definition& definition, RunState& state, Token& token, const events::StepFailed& said
) {
    if (token.attempt == std::numeric_limits<std::int16_t>::max()) return;
    const bool waited = token.phase == TokenPhase::waiting;
    const bool answered = waited && find_addressed(state, token) != nullptr;
    ++token.attempt;
    const Node& node = definition.nodes[token.node];
    const bool waits =
        node.type == NodeType::wait || node.type == NodeType::goal || node.type == NodeType::human;
    token.phase = waits && !has_effect(node) ? TokenPhase::resting : TokenPhase::backoff;
    token.until = *said.retry_at;
    token.waits_for.clear();
    token.maybe = token.maybe || said.maybe;
    if (answered) {
        token.since = token.attempt;
        forget_mail(state, token.id);
    }
}

void fail_step(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    const FailedAttempt failure{event, events::read<events::StepFailed>(event)};
    if (failure.said.retry_at && token->phase != TokenPhase::arrived) {
        return back_off(definition, state, *token, failure.said);
    }
    const TokenId id = token->id;
    if (failure.said.abandoned) {
        leave_record(definition, state, *token, failed_record(*token, failure));
        remove(state, id);
        return;
    }
    if (token->withdrawn) {
        leave_record(definition, state, *token, failed_record(*token, failure));
        if (state.records.back().maybe) note_kept_maybe(state, id);
        end_planned(state, id, "error");
        forget_mail(state, id);
        end_withdrawn(definition, state, id);
        return;
    }
    if (is_caught(definition, state, *token, failure)) return;
    StepRecord record = failed_record(*token, failure);
    record.stopped = true;
    if (record.maybe) leave_record(definition, state, *token, std::move(record));
    // The run stops in the next event; until that is seen, the reason is remembered, and where.
    state.error = event.error;
    events::set_place(state.error, {event.node});
    forget_mail(state, id);
    remove(state, id);
}

void pass_node(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    const TokenId id = token->id;
    const Node& node = definition.nodes[token->node];
    const auto passed = events::read<events::NodePassed>(event);
    withdraw_all(definition, state, passed.withdrawal, id);
    take_mail(state, passed.mail);
    // Its time was over: what comes after may ask why.
    if (passed.error) state.find_token(id)->caught = *passed.error;
    const std::string_view handle = passed.handle;
    count_round(state, *state.find_token(id), node.type, handle);
    std::erase_if(state.iterations, [id](const Iteration& one) { return one.token == id; });
    if (node.type == NodeType::exit) {
        state.ended = true;
        if (passed.value) state.output = *passed.value;
        state.error = event.error;
        remove(state, id);
        return;
    }
    if (passed.value || !definition.code.empty()) {
        StepRecord record;
        if (passed.value) record.result = *passed.value;
        // Of a list with a child run for each item, the items are what is undone.
        const bool items = node.type == NodeType::foreach_ && node.config.contains("workflow");
        record.skipped = items || passed.undone;
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
    const auto edges = events::read<events::Routed>(event).edges;
    leave_by_edges(definition, state, token->id, {edges.begin(), edges.end()});
    undo_next(definition, state);
}

void join_branches(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase != TokenPhase::joining) return;
    const TokenId id = token->id;
    const NodeIndex node = token->node;
    auto joined = events::read<events::Joined>(event);
    if (joined.late) {
        end_path(definition, state, id);
        return;
    }
    for (const TokenId gone : joined.absorbed) {
        if (gone == id) continue;
        hand_over_locks(state, gone, id);
        hand_over_error(state, gone, id);
        hand_over_done(state, gone, id);
        end_path(definition, state, gone);
    }
    withdraw_all(definition, state, joined.withdrawal, id);
    undo_after(
        definition,
        state,
        std::move(joined.withdrawal.awaited),
        {joined.undo.begin(), joined.undo.end()}
    );
    if (!joined.stragglers.empty()) state.fired.push_back({node, std::move(joined.stragglers)});
    leave_by(definition, state, id, "default");
}

void list_items(const Definition& definition, RunState& state, const Event& event) {
    const Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    begin_items(definition, state, token->id, events::read<events::ItemsListed>(event));
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
    const auto skipped = events::read<events::StepSkipped>(event);
    const events::Numbers& awaited = skipped.withdrawal.awaited;
    withdraw_all(definition, state, skipped.withdrawal, id);
    const bool under_way = std::find(awaited.begin(), awaited.end(), id) != awaited.end();
    const std::string_view handle = skipped.handle.empty() ? "default" : skipped.handle;
    StepRecord record;
    if (skipped.value) record.result = *skipped.value;
    record.skipped = true;
    if (!under_way) {
        const Token& left = *state.find_token(id);
        record.maybe = left.maybe || skipped.maybe;
        return finish_as(definition, state, left, std::move(record), handle);
    }
    state.find_token(id)->withdrawn = false;
    const TokenId next = go_on_without(state, id);
    if (PlannedStep* planned = state.find_planned(id)) planned->token = next;
    finish_as(definition, state, *state.find_token(next), std::move(record), handle);
}

void pause(RunState& state, const events::RunPaused& paused) {
    state.paused = true;
    if (paused.code.empty()) return;
    state.held = HeldBy{std::string(paused.code), std::string(paused.reason)};
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
        case EventType::step_advanced: advance_step(definition, state, event); return;
        case EventType::wait_started: start_wait(definition, state, event); return;
        case EventType::node_passed: pass_node(definition, state, event); return;
        case EventType::routed: route(definition, state, event); return;
        case EventType::joined: join_branches(definition, state, event); return;
        case EventType::signal_received: receive(state, event); return;
        case EventType::wait_noted: note_wait(definition, state, event); return;
        case EventType::planned: add_planned(definition, state, event); return;
        case EventType::run_paused: pause(state, events::read<events::RunPaused>(event)); return;
        case EventType::run_resumed:
            state.paused = false;
            state.held.reset();
            return;
        case EventType::compensation_started: start_undoing(definition, state, event); return;
        case EventType::items_listed: list_items(definition, state, event); return;
        case EventType::items_reopened: reopen_items(definition, state, event); return;
        case EventType::step_skipped: skip_step(definition, state, event); return;
        // What it means for the places of the run: fold() of several versions, and repin().
        case EventType::run_repinned: {
            const auto repinned = events::read<events::RunRepinned>(event);
            if (!repinned.refused) state.version = repinned.order.version;
            return;
        }
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
