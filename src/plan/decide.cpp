#include "model/duration.hpp"
#include "plan/decision.hpp"

#include <algorithm>
#include <limits>

namespace pawl::plan {

namespace {

// Of one call. A run that has more to do without an effect goes on in the next call, so that no
// commit grows without end.
constexpr std::size_t events_max = 1000;
// A message that nobody takes is kept as long as the run lives, within reason.
constexpr std::size_t mailbox_max = 10'000;

// How long a step is held back at least by a target that was not there before: from a second,
// doubling.
constexpr Duration held_back_least = std::chrono::seconds(1);
constexpr Duration held_back_most = std::chrono::minutes(10);
// A limit of one's own has room again sooner than a target that is broken.
constexpr Duration held_back_by_limit_most = std::chrono::seconds(30);
constexpr std::int64_t held_back_doubled_max = 20;

// A foreach goes on without an item that failed: nobody has said what to do about it.
constexpr std::string_view item_handle = "item";

// What stands in the items of a foreach; those inside others go with them.
json::array tokens_of_items(const RunState& state, const Token& foreach) {
    json::array ids;
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
    if (finished.error) {
        fail_step(*token, *finished.error);
    } else if (finished.pending.is_object()) {
        json::object wait = std::move(finished.pending.get_object());
        if (const auto limit = node_of(*token).timeout; limit && !wait.contains("until")) {
            wait["until"] = micros_of(saturating_add(moment_.now, *limit));
        }
        if (text_in(wait, "for") == "target") lengthen(wait, *token);
        append_step(EventType::wait_started, *token, std::move(wait), nullptr);
    } else {
        append_step(EventType::step_completed, *token, std::move(finished.result), nullptr);
    }
}

// A step that is held back again and again says so less and less often.
void Decision::lengthen(json::object& wait, const Token& token) const {
    const bool again = waited_kind(token.waits_for) == "target";
    const auto before = again ? whole_number(find(token.waits_for, "times")).value_or(1) : 0;
    const auto times = std::min<std::int64_t>(before + 1, held_back_doubled_max);
    wait["times"] = times;
    if (times < 2) return;
    Duration least = held_back_least * (std::int64_t{1} << (times - 1));
    const bool limit = wait.contains("limit");
    least = std::min(least, limit ? held_back_by_limit_most : held_back_most);
    const auto until = saturating_add(moment_.now, least);
    const auto asked = whole_number(wait.if_contains("until"));
    if (!asked || *asked < micros_of(until)) wait["until"] = micros_of(until);
}

void Decision::cancel(const std::string& reason) {
    // Asked a second time, it does not go on undoing.
    if (state_.unwinding) {
        Event event;
        event.type = EventType::run_cancelled;
        event.data = json::object{{"reason", reason}};
        append(std::move(event));
        return;
    }
    begin_undoing_or(RunStatus::cancelled, reason);
}

void Decision::receive(SignalReceived& signal) {
    if (signal.kind == "cancel") {
        cancel(std::string(text_in(signal.data, "reason")));
        return;
    }
    Event event;
    if (signal.kind == "pause" || signal.kind == "resume") {
        const bool pause = signal.kind == "pause";
        if (state_.paused == pause) return;
        event.type = pause ? EventType::run_paused : EventType::run_resumed;
        event.data = std::move(signal.data);
    } else if (signal.kind == "skip") {
        skip(signal.data);
        return;
    } else {
        // Answers to what the run asked for are always taken: nobody sends them again.
        const bool unasked = signal.kind == "signal" || signal.kind == "event";
        if (unasked && state_.mailbox.size() >= mailbox_max) return;
        event.type = EventType::signal_received;
        event.data = json::object{
            {"id", signal.id}, {"kind", signal.kind}, {"data", std::move(signal.data)}};
    }
    append(std::move(event));
}

// A person lets a step be. The one that is meant may have ended meanwhile.
void Decision::skip(const json::value& data) {
    const std::string node(text_in(data, "node"));
    const auto wanted = whole_number(find(data, "token"));
    for (const Token& token : state_.tokens) {
        if (node_of(token).id != node) continue;
        if (wanted && *wanted != std::int64_t{token.id}) continue;
        json::value skipped = data;
        if (json::object* object = skipped.if_object()) {
            if (json::array items = tokens_of_items(state_, token); !items.empty()) {
                (*object)["cancelled"] = std::move(items);
            }
        }
        append_step(EventType::step_skipped, token, std::move(skipped), nullptr);
        return;
    }
}

void Decision::check_deadline() {
    const bool passed = state_.deadline && *state_.deadline <= moment_.now;
    if (over() || !passed || state_.unwinding) return;
    state_.error = to_json(StepError{
        ErrorClass::permanent,
        "run_timeout",
        "the run did not finish within its timeout",
        std::nullopt});
    begin_undoing_or(RunStatus::failed, {});
}

// Ends the run, unless something that it did has to be undone first.
void Decision::begin_undoing_or(RunStatus status, const std::string& reason) {
    const bool undo =
        !state_.unwinding &&
        std::any_of(state_.records.begin(), state_.records.end(), [this](const StepRecord& r) {
            return !r.error && r.node < definition_.nodes.size() &&
                   !definition_.nodes[r.node].compensate.empty();
        });
    Event event;
    if (undo) {
        event.type = EventType::compensation_started;
        event.data = json::object{{"status", name(status)}};
        if (!reason.empty()) event.data.get_object()["reason"] = reason;
        if (status == RunStatus::failed) event.error = state_.error;
    } else if (status == RunStatus::failed) {
        fail_run(state_.error);
        return;
    } else {
        event.type = EventType::run_cancelled;
        event.data = json::object{{"reason", reason}};
    }
    append(std::move(event));
}

void Decision::settle() {
    if (state_.paused) return;
    const std::size_t most = events_.size() + events_max;
    while (!over() && events_.size() < most && (watch_exits() || plan_next() || settle_one())) {
    }
    // A plan that is due may have more.
    const bool planning = state_.plan_due && state_.error.is_null() && !state_.unwinding;
    if (!over() && state_.tokens.empty() && !planning) end();
}

void Decision::end() {
    if (state_.unwinding) {
        if (state_.unwinding->status == RunStatus::failed) {
            fail_run(state_.error);
            return;
        }
        Event event;
        event.type = EventType::run_cancelled;
        event.data = json::object{{"reason", state_.unwinding->reason}};
        append(std::move(event));
        return;
    }
    if (!state_.error.is_null()) {
        begin_undoing_or(RunStatus::failed, {});
        // What undoes may need no effect.
        if (!over() && state_.unwinding) settle();
        return;
    }
    Event event;
    event.type = EventType::run_completed;
    if (state_.ended) {
        event.data = state_.output;
    } else if (!state_.records.empty()) {
        event.data = state_.records.back().result;
    }
    append(std::move(event));
}

// One thing that is due without an effect; false when there is none.
bool Decision::settle_one() {
    if (let_in_late()) return true;
    for (std::size_t i = 0; i < state_.tokens.size(); ++i) {
        if (settle_token(state_.tokens[i])) return true;
    }
    return fail_incomplete_join() || break_deadlock();
}

bool Decision::settle_token(const Token& token) {
    switch (token.phase) {
        case TokenPhase::arrived: settle_arrived(token); return true;
        case TokenPhase::routing: route(token); return true;
        case TokenPhase::joining: return settle_join(token);
        case TokenPhase::waiting: return settle_waiting(token);
        case TokenPhase::ready:
            if (token.visit <= visits_max || token.attempt > 1) return false;
            fail_step(token, "loop_limit", "the step was come to more often than is allowed");
            return true;
        case TokenPhase::backoff:
        case TokenPhase::iterating: return false;
    }
    return false;
}

std::string Decision::catching_handle(const Token& token, const StepError& error) const {
    const auto has = [&](std::string_view handle) {
        return definition_.next(token.node, handle).has_value();
    };
    if (auto exact = "error." + error.code; has(exact)) return exact;
    if (auto kind = "error." + std::string(name(error.error_class)); has(kind)) return kind;
    if (has("error")) return "error";
    if (node_of(token).on_failure == OnFailure::continue_) return "";
    return token.frame != 0 && !state_.unwinding ? std::string(item_handle) : "";
}

// A step that goes on by itself when it fails has its answer already.
bool Decision::is_unsettled(const Token& token, const RetryPolicy& policy, const StepError& error)
    const {
    return error.error_class == ErrorClass::ambiguous && policy.ambiguous == Ambiguous::settle &&
           token.phase != TokenPhase::waiting && node_of(token).on_failure != OnFailure::continue_;
}

void Decision::fail_step(const Token& token, const StepError& error, bool again) {
    const RetryPolicy& policy = retry_for(node_of(token), error);
    json::value data;
    const bool countable = token.attempt < std::numeric_limits<std::int16_t>::max();
    const bool repeatable = token.phase != TokenPhase::arrived &&
                            token.phase != TokenPhase::joining &&
                            token.phase != TokenPhase::routing;
    const bool retries = again || may_retry(policy, token.attempt, error.error_class);
    const bool unsettled = repeatable && is_unsettled(token, policy, error);
    const std::string handle = catching_handle(token, error);
    if (repeatable && countable && retries) {
        const Duration wait = backoff(policy, token.attempt, moment_.random, error.retry_after);
        data = json::object{{"retry_at", micros_of(saturating_add(moment_.now, wait))}};
    } else if (!handle.empty() && !(unsettled && handle == item_handle)) {
        data = json::object{{"caught", handle}};
    } else if (unsettled) {
        // Nobody knows whether it took place: whoever does answers like one who was called.
        json::object wait{{"for", "callback"}, {"unknown", true}, {"error", to_json(error)}};
        wait["visit"] = std::int64_t{token.visit};
        append_step(EventType::wait_started, token, std::move(wait), nullptr);
        return;
    }
    append_step(EventType::step_failed, token, std::move(data), to_json(error));
}

void Decision::fail_step(const Token& token, std::string code, std::string message) {
    fail_step(
        token, StepError{ErrorClass::permanent, std::move(code), std::move(message), std::nullopt}
    );
}

void Decision::fail_run(json::value error) {
    Event event;
    event.type = EventType::run_failed;
    event.error = std::move(error);
    append(std::move(event));
}

void Decision::pass(const Token& token, std::string_view handle, json::object data) {
    data["handle"] = handle;
    append_step(EventType::node_passed, token, std::move(data), nullptr);
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
    if (auto* request = std::get_if<CancelRequested>(&stimulus)) decision.cancel(request->reason);
    if (auto* signal = std::get_if<SignalReceived>(&stimulus)) decision.receive(*signal);
    if (auto* request = std::get_if<HoldRequested>(&stimulus)) decision.hold(request->hold);
    // After the result was noted: that the effect took place is a fact, also when it is too late.
    decision.check_deadline();
    decision.settle();
    return std::move(decision).take();
}

}  // namespace pawl::plan
