#include "model/duration.hpp"
#include "model/events/signal_data.hpp"
#include "plan/decision.hpp"
#include "plan/moves.hpp"
#include "plan/stop.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pawl::plan {

namespace {

// Of one call. A run that has more to do without an effect goes on in the next call, so that no
// commit grows without end.
constexpr std::size_t events_max = 1000;
// A message that no step takes is kept as long as the run lives, up to this many.
constexpr std::size_t mailbox_max = 10'000;

// A foreach goes on without an item that failed: the definition does not say what to do about it.
constexpr std::string_view item_handle = "item";
// Of a message that the provider has refused.
constexpr std::string_view failed_handle = "failed";

// What stands in the items of a foreach; those inside others go with them.
std::vector<TokenId> tokens_of_items(const RunState& state, const Token& foreach) {
    std::vector<TokenId> ids;
    for (const Token& token : state.tokens) {
        const Frame* item = token.frame == 0 ? nullptr : state.find_frame(token.frame);
        if (item != nullptr && item->token == foreach.id) ids.push_back(token.id);
    }
    return ids;
}

// Only if a log and a definition do not belong together.
bool is_foreign(const Definition& definition, const RunState& state) {
    return std::any_of(state.tokens.begin(), state.tokens.end(), [&](const Token& token) {
        return token.node >= definition.nodes.size();
    });
}

}  // namespace

// The token whose attempt this is the outcome of, unless it is late, repeated or made up.
const Token* Decision::find_awaited(const StepFinished& finished) const {
    const Token* token = state_.find_token(finished.token);
    if (token == nullptr || token->attempt != finished.attempt) return nullptr;
    if (finished.visit != 0 && finished.visit != token->visit) return nullptr;
    if (finished.node && *finished.node != token->node) return nullptr;
    const bool due = token->phase == TokenPhase::ready ||
                     (token->phase == TokenPhase::backoff && token->until <= moment_.now);
    return due ? token : nullptr;
}

void Decision::finish_step(StepFinished& finished) {
    const Token* token = find_awaited(finished);
    if (token == nullptr) return;
    if (awaits_page(*token)) return take_page(*token, finished);
    if (finished.error) {
        worker_ = finished.worker;
        fail_step(*token, *finished.error);
        worker_ = {};
    } else if (finished.advances && !token->withdrawn) {
        advance(*token, std::move(finished.result));
    } else if (settles_with_person(node_of(*token)) && !token->withdrawn) {
        settle_for(*token, std::move(finished.result));
    } else if (finished.pending.is_object()) {
        await_outcome(*token, std::move(finished.pending));
    } else if (is_reviewed(*token)) {
        begin_review(*token, std::move(finished.result));
    } else {
        complete(*token, std::move(finished.result));
    }
}

// The planner's part of a node that asks about the person: what is known of them now.
void Decision::settle_for(const Token& token, json::value person) {
    json::value known = std::exchange(state_.person, std::move(person));
    settle_arrived(token);
    state_.person = std::move(known);
}

void Decision::receive(SignalReceived& signal) {
    const SignalKind kind = signal_kind(signal.kind);
    switch (kind) {
        case SignalKind::cancel: {
            const auto order = events::read<events::CancelSignal>(signal.data);
            return cancel({std::string(order.reason), order.force});
        }
        case SignalKind::pause:
        case SignalKind::resume: {
            const bool pause = kind == SignalKind::pause;
            if (state_.paused == pause) return;
            Event event;
            event.type = pause ? EventType::run_paused : EventType::run_resumed;
            event.data = std::move(signal.data);
            return append(std::move(event));
        }
        case SignalKind::skip: return skip(std::move(signal.data));
        case SignalKind::callback: {
            const auto callback = events::read<events::CallbackSignal>(signal.data);
            if (callback.heartbeat) return beat(callback.to);
            break;
        }
        default: break;
    }
    // Answers to what the run asked for are always taken: they are not sent again.
    const bool unasked = kind == SignalKind::signal || kind == SignalKind::event;
    const std::string_view dropped = unasked ? drops(kind, signal.data) : std::string_view();
    events::SignalReceived received{signal.id, signal.kind, std::move(signal.data), {}};
    if (!dropped.empty()) received.dropped = dropped;
    append(std::move(received));
}

// Why a message that came by itself is not kept; empty: it is.
std::string_view Decision::drops(SignalKind kind, const json::value& data) const {
    const bool full = state_.mailbox.size() >= mailbox_max;
    const bool event = kind == SignalKind::event;
    const bool of_run =
        event && events::read<events::Address>(data).token == std::int64_t{token_of_run};
    if (!full && !of_run) return {};
    if (event && is_wanted(state_, to_mail(0, kind, data))) return {};
    // No other wait will ask for what does not end the run.
    if (of_run) return "it is not one that ends the run";
    return "the run has 10,000 messages that it has not read";
}

// A person lets a step be. The one that is meant may have ended meanwhile.
void Decision::skip(json::value data) {
    const auto meant = events::read<events::SkipSignal>(data);
    for (const Token& token : state_.tokens) {
        if (node_of(token).id != meant.node || token.skipped) continue;
        if (meant.token && *meant.token != std::int64_t{token.id}) continue;
        return let_be(token, {}, std::move(data));
    }
}

// `data`: what a person said about it, an object.
void Decision::let_be(const Token& token, events::StepSkipped skipped, json::value data) {
    skipped.withdrawal = withdrawal_of(tokens_of_items(state_, token));
    if (!token.withdrawn && !token.undoes && is_under_way(token)) {
        skipped.withdrawal.awaited.push_back(token.id);
        end_child(node_of(token), token.waits_for, skipped.withdrawal.ends);
    } else if (may_have_begun(token)) {
        skipped.maybe = true;
    }
    if (json::object* said = data.if_object()) {
        data = events::write(std::move(skipped), std::move(*said));
    }
    append_step(EventType::step_skipped, token, std::move(data), nullptr);
}

// A run that stood there was moved to the version that has it switched off. An item of a list
// stands on the list itself, which goes to its end.
bool Decision::is_begun_where_off(const Token& token) const {
    if (!node_of(token).disabled || node_of(token).type == NodeType::foreach_) return false;
    return token.phase == TokenPhase::ready || token.phase == TokenPhase::backoff ||
           token.phase == TokenPhase::waiting;
}

void Decision::pass_disabled(const Token& token) {
    events::StepSkipped skipped;
    skipped.disabled = true;
    let_be(token, std::move(skipped), json::object());
}

void Decision::check_deadline() {
    const bool passed = state_.deadline && *state_.deadline <= moment_.now;
    if (over() || !passed || state_.unwinding || state_.stopping) return;
    state_.error = to_json(StepError{
        ErrorClass::permanent,
        "run_timeout",
        "the run did not finish within its timeout",
        std::nullopt});
    stop({RunStatus::failed});
}

void Decision::check_size() {
    if (moment_.log_bytes <= log_bytes_max) return;
    if (over() || state_.unwinding || state_.stopping) return;
    state_.error = to_json(StepError{
        ErrorClass::permanent,
        "log_full",
        fmt::format(
            "the log of the run is larger than {} MiB: keep large values elsewhere and pass on "
            "where "
            "they are, or do parts of it in child runs",
            log_bytes_max >> 20
        ),
        std::nullopt});
    stop({RunStatus::failed});
}

void Decision::settle() {
    if (state_.paused) return;
    if (hold_out()) return end();
    const std::size_t most = events_.size() + events_max;
    while (!over() && events_.size() < most && (watch_exits() || plan_next() || settle_one())) {
    }
    // A plan that is due may have more.
    const bool planning =
        state_.plan_due && state_.error.is_null() && !state_.unwinding && !state_.stopping;
    if (!over() && state_.tokens.empty() && !planning) end();
}

void Decision::end() {
    if (state_.unwinding) return end_as({state_.unwinding->status, state_.unwinding->reason});
    if (state_.stopping) {
        undo_or_end({state_.stopping->status, state_.stopping->reason});
    } else if (stop_is_due()) {
        return;  // in the next call
    } else {
        end_as({});
    }
    // What undoes may need no effect.
    if (!over() && state_.unwinding) settle();
}

// One thing that is due without an effect; false when there is none.
bool Decision::settle_one() {
    if (stop_is_due()) {
        stop({state_.error.is_null() ? RunStatus::completed : RunStatus::failed});
        return true;
    }
    if (let_in_late()) return true;
    for (std::size_t i = 0; i < state_.tokens.size(); ++i) {
        if (settle_token(state_.tokens[i])) return true;
    }
    return fail_incomplete_join() || break_deadlock();
}

bool Decision::settle_token(const Token& token) {
    if (token.withdrawn) return settle_withdrawn(token);
    if (is_begun_where_off(token)) {
        pass_disabled(token);
        return true;
    }
    switch (token.phase) {
        case TokenPhase::arrived: settle_arrived(token); return true;
        case TokenPhase::routing: route(token); return true;
        case TokenPhase::joining: return settle_join(token);
        case TokenPhase::waiting: return settle_waiting(token);
        case TokenPhase::ready:
            if (token.visit <= visits_max || token.attempt > 1) return false;
            fail_visited(token);
            return true;
        case TokenPhase::iterating: return settle_iterating(token);
        case TokenPhase::resting:
            if (token.until > moment_.now) return false;
            settle_arrived(token);
            return true;
        case TokenPhase::backoff: return false;
    }
    return false;
}

std::string Decision::catching_handle(const Token& token, const StepError& error) const {
    const auto has = [&](std::string_view handle) {
        return definition_.next(token.node, handle).has_value();
    };
    if (auto exact = "error." + error.code; has(exact)) return exact;
    if (error.cause) {
        if (auto cause = "error." + error.cause->code; has(cause)) return cause;
    }
    if (auto kind = "error." + std::string(name(error.error_class)); has(kind)) return kind;
    if (has("error")) return "error";
    if (node_of(token).type == NodeType::message && has(failed_handle)) {
        return std::string(failed_handle);
    }
    if (node_of(token).on_failure == OnFailure::continue_) return "";
    const bool undoes = state_.unwinding || token.undoes;
    return token.frame != 0 && !undoes ? std::string(item_handle) : "";
}

// A step that goes on by itself when it fails has its answer already.
bool Decision::is_unsettled(const Token& token, const RetryPolicy& policy, const StepError& error)
    const {
    return error.error_class == ErrorClass::ambiguous && policy.ambiguous == Ambiguous::settle &&
           token.phase != TokenPhase::waiting && node_of(token).on_failure != OnFailure::continue_;
}

void Decision::fail_step(const Token& token, const StepError& error, bool again) {
    if (token.withdrawn) return fail_withdrawn(token, error);
    const RetryPolicy& policy = retry_for(node_of(token), error);
    events::StepFailed failed;
    const bool countable = token.attempt < std::numeric_limits<std::int16_t>::max();
    const bool repeatable =
        token.phase != TokenPhase::arrived && token.phase != TokenPhase::resting &&
        token.phase != TokenPhase::joining && token.phase != TokenPhase::routing;
    const bool retries = again || may_retry(node_of(token), token.attempt, error);
    const bool unsettled = repeatable && is_unsettled(token, policy, error);
    const std::string handle = catching_handle(token, error);
    const bool too_early = unsettled && (handle == item_handle || handle == failed_handle);
    if (repeatable && countable && retries) {
        const Duration wait = backoff(policy, token.attempt, moment_.random, error.retry_after);
        failed.retry_at = saturating_add(moment_.now, wait);
    } else if (!handle.empty() && !too_early) {
        failed.caught = handle;
        if (handle == item_handle) failed.withdrawal = withdrawal_of_item(token);
    } else if (unsettled) {
        // Unknown whether it took place: a person or the peer answers, as by a callback.
        events::CallbackWait wait;
        wait.unknown = true;
        wait.error = to_json(error);
        wait.visit = token.visit;
        return append_wait(token, std::move(wait));
    }
    const bool undoable = !node_of(token).compensate.empty();
    const bool maybe = may_have_taken_place(error) && !has_ended_undone(token);
    failed.maybe = undoable && maybe;
    append_failure(token, std::move(failed), error);
}

void Decision::append_failure(
    const Token& token, events::StepFailed failed, const StepError& error
) {
    failed.worker = worker_;
    json::object data = events::write(std::move(failed));
    json::value noted = data.empty() ? json::value() : json::value(std::move(data));
    append_step(EventType::step_failed, token, std::move(noted), to_json(error));
}

void Decision::fail_step(const Token& token, std::string code, std::string message) {
    fail_step(
        token, StepError{ErrorClass::permanent, std::move(code), std::move(message), std::nullopt}
    );
}

void Decision::pass(
    const Token& token, std::string_view handle, events::Payload value, events::Payload error
) {
    events::NodePassed passed;
    passed.value = std::move(value);
    passed.error = std::move(error);
    passed.handle = handle;
    pass(token, std::move(passed));
}

void Decision::pass(const Token& token, events::NodePassed passed) {
    append_step(token, std::move(passed));
}

void Decision::append_step(
    EventType type, const Token& token, json::value data, json::value error
) {
    Event event;
    event.type = type;
    event.attempt = token.attempt;
    event.node = node_of(token).id;
    event.token = token.id;
    event.data = std::move(data);
    event.error = std::move(error);
    append(std::move(event));
}

void Decision::append(Event event) {
    event.seq = state_.next_seq;
    event.at = moment_.now;
    events_.push_back(std::move(event));
    evolve(definition_, state_, events_.back());
}

std::vector<Event> decide(
    const Definition& definition, RunState& state, Stimulus stimulus, const Moment& moment
) {
    if (!state.started || is_terminal(state.status) || is_foreign(definition, state)) return {};
    Decision decision(definition, state, moment);
    if (auto* finished = std::get_if<StepFinished>(&stimulus)) decision.finish_step(*finished);
    if (auto* request = std::get_if<CancelRequested>(&stimulus)) decision.cancel(*request);
    if (auto* signal = std::get_if<SignalReceived>(&stimulus)) decision.receive(*signal);
    if (auto* request = std::get_if<HoldRequested>(&stimulus)) decision.hold(request->hold);
    // After the result was noted: that the effect took place is a fact, also when it is too late.
    decision.check_deadline();
    decision.check_size();
    decision.settle();
    return std::move(decision).take();
}

}  // namespace pawl::plan
