#include "model/events/whole_run_events.hpp"
#include "plan/decision.hpp"
#include "plan/moves.hpp"
#include "plan/not_undone.hpp"
#include "plan/stop.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::plan {

namespace {

StepError unknown_outcome(const Token& token) {
    const auto* callback = token.waits_for.as<events::CallbackWait>();
    const bool called = callback != nullptr && !callback->unknown;
    return {
        ErrorClass::ambiguous,
        "outcome_unknown",
        called ? "it was stopped before the answer came: it may have taken place"
               : "how it ended is not known any more: it may have taken place",
        std::nullopt};
}

bool is_in(const std::vector<ExecuteStep>& steps, const Token& token) {
    return std::any_of(steps.begin(), steps.end(), [&](const ExecuteStep& step) {
        return step.token == token.id && step.node == token.node && step.visit == token.visit &&
               step.attempt == token.attempt;
    });
}

std::string_view close_policy(const Node& node) {
    const std::string_view written = text_in(node.config, "on_parent_close");
    if (!written.empty()) return written;
    // A child that no step waits for goes on by itself.
    const json::value* wait = node.config.if_contains("wait");
    return wait != nullptr && *wait == false ? "abandon" : "cancel";
}

}  // namespace

StepError not_begun() {
    return {ErrorClass::permanent, "not_begun", "it was stopped before it began", std::nullopt};
}

bool may_have_taken_place(const StepError& error) {
    return error.error_class == ErrorClass::ambiguous || error.code == "timeout";
}

// Whether what a node does is worth waiting for: it changes something outside the run.
static bool is_awaited_type(NodeType type) {
    return type == NodeType::code || type == NodeType::function || type == NodeType::http ||
           type == NodeType::sql || type == NodeType::call || type == NodeType::foreach_ ||
           type == NodeType::message || type == NodeType::action || type == NodeType::agent;
}

void end_child(const Node& node, const events::Wait& wait, std::vector<std::string>& ends) {
    const auto* child = wait.as<events::ChildWait>();
    if (child != nullptr && close_policy(node) == "cancel") ends.push_back(child->run);
}

bool Decision::awaits_page(const Token& token) const {
    const Iteration* iteration = state_.find_iteration(token.id);
    return iteration != nullptr && iteration->in_pages();
}

bool Decision::is_under_way(const Token& token) const {
    if (!is_awaited_type(node_of(token).type) || awaits_page(token)) return false;
    if (token.phase == TokenPhase::waiting) {
        // An answer that may come some day is nothing under way: it is not waited for.
        const bool child = token.waits_for.is<events::ChildWait>();
        return child && close_policy(node_of(token)) != "abandon";
    }
    if (moment_.work != nullptr) return is_in(moment_.work->under_way, token);
    return token.phase == TokenPhase::ready ||
           (token.phase == TokenPhase::backoff && token.until <= moment_.now);
}

bool Decision::may_have_begun(const Token& token) const {
    if (!is_awaited_type(node_of(token).type) || awaits_page(token)) return false;
    const bool unsettled = token.waits_for.is<events::CallbackWait>();
    const bool interrupted = moment_.work != nullptr && is_in(moment_.work->interrupted, token);
    return token.maybe || unsettled || interrupted;
}

Decision::Withdrawal Decision::withdrawal_of(const std::vector<TokenId>& tokens) const {
    Withdrawal withdrawal;
    std::vector<TokenId> open = tokens;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Token* token = state_.find_token(open[i]);
        if (token == nullptr || token->withdrawn || token->undoes) continue;
        for (const Frame& frame : state_.frames) {
            if (frame.token != token->id || frame.closed) continue;
            for (const Token& inner : state_.tokens) {
                const bool listed = std::find(open.begin(), open.end(), inner.id) != open.end();
                if (inner.frame == frame.id && !listed) open.push_back(inner.id);
            }
        }
        if (is_under_way(*token) || may_have_begun(*token)) {
            withdrawal.awaited.push_back(token->id);
            end_child(node_of(*token), token->waits_for, withdrawal.ends);
        } else {
            withdrawal.dropped.push_back(token->id);
        }
    }
    return withdrawal;
}

// Those beside a token of an item that gives up.
Decision::Withdrawal Decision::withdrawal_of_item(const Token& token) const {
    std::vector<TokenId> others;
    for (const Token& other : state_.tokens) {
        if (other.frame == token.frame && other.id != token.id) others.push_back(other.id);
    }
    Withdrawal withdrawal = withdrawal_of(others);
    withdrawal.dropped.clear();  // all that is not awaited goes with the item
    return withdrawal;
}

bool Decision::stop_is_due() const {
    if (over() || state_.stopping || state_.unwinding) return false;
    return state_.ended || !state_.error.is_null();
}

void Decision::cancel(const CancelRequested& request) {
    if (request.force) return abandon(request.reason);
    // Asked a second time, it goes on stopping or undoing.
    if (state_.stopping || state_.unwinding) return;
    stop({RunStatus::cancelled, request.reason});
}

void Decision::stop(const Ending& ending) {
    std::vector<TokenId> all;
    bool undoes = false;
    for (const Token& token : state_.tokens) {
        all.push_back(token.id);
        undoes = undoes || token.undoes || token.withdrawn;
    }
    Withdrawal withdrawal = withdrawal_of(all);
    end_free_children(withdrawal.ends);
    if (withdrawal.awaited.empty() && withdrawal.ends.empty() && !undoes) {
        undo_or_end(ending);
        return;
    }
    withdrawal.dropped.clear();  // all that is not awaited
    events::RunStopping stopping;
    stopping.status = ending.status;
    stopping.reason = ending.reason;
    if (ending.output) stopping.output = &*ending.output;
    stopping.withdrawal = std::move(withdrawal);
    append(std::move(stopping), error_of(ending));
}

// Children that no step waits for but that end with the run.
void Decision::end_free_children(std::vector<std::string>& ends) const {
    for (const StepRecord& record : state_.records) {
        if (record.node >= definition_.nodes.size() || record.error) continue;
        const Node& node = definition_.nodes[record.node];
        const json::value* wait = node.config.if_contains("wait");
        const bool free = node.type == NodeType::call && wait != nullptr && *wait == false;
        if (!free || close_policy(node) != "cancel") continue;
        const std::string_view run = events::read<events::ChildStarted>(record.result).run;
        if (!run.empty()) ends.emplace_back(run);
    }
}

// Ends the run, unless something that it did has to be undone first.
void Decision::undo_or_end(const Ending& ending) {
    events::Numbers undo;
    for (std::size_t i = 0; i < state_.records.size(); ++i) {
        if (is_undoable(definition_, state_.records[i])) {
            undo.push_back(static_cast<std::uint32_t>(i));
        }
    }
    if (undo.empty() || ending.status == RunStatus::completed) return end_as(ending);
    append(
        events::CompensationStarted{ending.status, std::move(undo), ending.reason}, error_of(ending)
    );
}

json::value Decision::error_of(const Ending& ending) const {
    return ending.status == RunStatus::failed ? state_.error : json::value();
}

// Why the run failed, and what could not be undone.
json::value Decision::final_error(RunStatus status) const {
    json::value error = status == RunStatus::failed ? state_.error : json::value();
    json::array by_children = not_undone_by_children(state_);
    if (state_.not_undone.empty()) {
        // It is no dead letter for that: the child is one by itself.
        if (status == RunStatus::cancelled) return children_error(std::move(by_children));
        if (!by_children.empty()) {
            events::set_place(error, {.children_not_undone = std::move(by_children)});
        }
        return error;
    }
    json::array list;
    for (const NotUndone& one : state_.not_undone) {
        const StepRecord& record = state_.records[one.record];
        const bool known = record.node < definition_.nodes.size();
        events::NotUndone entry;
        entry.step = known ? std::string_view(definition_.nodes[record.node].id) : "";
        entry.by = definition_.nodes[one.by].id;
        entry.record = static_cast<std::int64_t>(one.record);
        entry.error = &one.error;
        if (const Frame* frame = state_.find_frame(record.frame)) entry.index = frame->index;
        list.push_back(events::write(std::move(entry)));
    }
    events::FailurePlace place;
    if (!error.is_object()) {
        const auto first = events::read<events::NotUndone>(list.front());
        error = to_json(StepError{
            ErrorClass::permanent,
            "compensation_failed",
            fmt::format(
                "'{}' could not undo '{}': {}",
                *first.by,
                *first.step,
                events::error_message(*first.error)
            ),
            std::nullopt});
        place.step = definition_.nodes[state_.not_undone.front().by].id;
    }
    place.not_undone = std::move(list);
    if (!by_children.empty()) place.children_not_undone = std::move(by_children);
    events::set_place(error, std::move(place));
    return error;
}

void Decision::end_as(const Ending& ending) {
    Event event;
    event.error = final_error(ending.status);
    if (ending.status == RunStatus::cancelled) {
        event.type = EventType::run_cancelled;
        event.data = events::write(events::RunCancelled{ending.reason, false, {}});
    } else if (ending.status == RunStatus::failed || !event.error.is_null()) {
        event.type = EventType::run_failed;
    } else {
        event.type = EventType::run_completed;
        event.data = ending.output ? *ending.output : state_.ended ? state_.output : last_result();
    }
    append(std::move(event));
}

json::value Decision::last_result() const {
    for (auto record = state_.records.rbegin(); record != state_.records.rend(); ++record) {
        if (!record->undoing && !record->withdrawn) return record->result;
    }
    return nullptr;
}

// Ends at once: what is under way is noted as left alone.
void Decision::abandon(const std::string& reason) {
    std::vector<TokenId> all;
    for (const Token& token : state_.tokens) {
        const bool open = token.withdrawn || is_under_way(token) || may_have_begun(token);
        if (open) all.push_back(token.id);
    }
    std::vector<std::string> ends;
    end_free_children(ends);
    for (const TokenId id : all) {
        const Token& token = *state_.find_token(id);
        end_child(node_of(token), token.waits_for, ends);
        const StepError error{
            ErrorClass::ambiguous,
            "abandoned",
            "the run was ended by force while it was under way: it may have taken place",
            std::nullopt};
        events::StepFailed failed;
        failed.abandoned = true;
        failed.maybe = true;
        append_failure(token, std::move(failed), error);
    }
    append(events::RunCancelled{reason, true, std::move(ends)}, final_error(RunStatus::cancelled));
}

bool Decision::settle_withdrawn(const Token& token) {
    if (token.phase == TokenPhase::waiting) {
        if (const Mail* mail = find_addressed(state_, token)) return settle_addressed(token, *mail);
        const auto until = token.waits_for.until();
        if (is_under_way(token) && !(until && *until <= moment_.now)) return false;
    } else if (is_under_way(token)) {
        return false;
    }
    fail_withdrawn(token, unknown_outcome(token));
    return true;
}

void Decision::fail_withdrawn(const Token& token, const StepError& error) {
    events::StepFailed failed;
    // Of a run that stops it may be tried again, by the run that goes on where this one ends.
    failed.withdrawn = !state_.stopping || token.skipped;
    failed.maybe = token.maybe || may_have_taken_place(error);
    append_failure(token, std::move(failed), error);
}

void Decision::exit_run(const Token& token, const json::object& config) {
    // Here the handle stands before the value.
    json::object data = events::write(events::NodePassed{});
    events::NodePassed passed;
    passed.value = config.if_contains("output");
    data = events::write(std::move(passed), std::move(data));
    json::value error;
    if (text_in(config, "status") == "failed") {
        const std::string_view reason = text_in(config, "reason");
        error = to_json(StepError{
            ErrorClass::permanent,
            "exit",
            reason.empty() ? "the workflow ended itself as failed" : std::string(reason),
            std::nullopt});
        events::set_place(error, {node_of(token).id});
    }
    append_step(EventType::node_passed, token, std::move(data), std::move(error));
}

}  // namespace pawl::plan
