#include "model/duration.hpp"
#include "model/events/wait.hpp"
#include "model/name_limits.hpp"
#include "model/wait_time.hpp"
#include "plan/decision.hpp"
#include "plan/not_undone.hpp"
#include "plan/people.hpp"
#include "plan/stop.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::plan {

namespace {

// How long a step is held back at least by a target that was not there before: from a second,
// doubling.
constexpr Duration held_back_least = std::chrono::seconds(1);
constexpr Duration held_back_most = std::chrono::minutes(10);
// A limit of one's own has room again sooner than a target that is broken.
constexpr Duration held_back_by_limit_most = std::chrono::seconds(30);
constexpr std::int64_t held_back_doubled_max = 20;

// The instant that a duration of the config leads to; nothing when there is none.
boost::system::result<std::optional<Instant>, StepError> after(
    const json::object& config, std::string_view key, Instant now
) {
    const json::value* written = config.if_contains(key);
    if (written == nullptr || written->is_null()) return std::nullopt;
    const auto duration = duration_from_json(*written);
    if (duration) return std::optional(saturating_add(now, *duration));
    return StepError{
        ErrorClass::permanent,
        "wait_duration",
        fmt::format("{}: {}", key, duration.error().message),
        std::nullopt};
}

}  // namespace

void Decision::append_wait(const Token& token, events::Wait wait) {
    json::object data = std::move(wait).write();
    append_step(EventType::wait_started, token, std::move(data), nullptr);
}

void Decision::await_outcome(const Token& token, json::value pending) {
    events::Wait wait = events::read_wait(pending);
    if (const auto limit = node_of(token).timeout; limit && !wait.until()) {
        wait.set_until(saturating_add(moment_.now, *limit));
    }
    if (auto* callback = wait.as<events::CallbackWait>()) {
        const auto beat = heartbeat_of(*callback);
        if (beat) callback->beat_by = saturating_add(moment_.now, *beat);
    }
    if (auto* target = wait.as<events::TargetWait>()) {
        if (token.withdrawn) return fail_withdrawn(token, not_begun());
        lengthen(*target, token);
    }
    events::EndedChildren ended;
    if (token.withdrawn) end_child(node_of(token), wait, ended.ends);
    json::object data = std::move(wait).write(std::move(pending.get_object()));
    data = events::write(std::move(ended), std::move(data));
    append_step(EventType::wait_started, token, std::move(data), nullptr);
}

// A step that is held back again and again says so less and less often. A target that is back has
// its limits: steps that have waited long for it do not wait longer than others for their turn.
void Decision::lengthen(events::TargetWait& wait, const Token& token) const {
    const auto* held = token.waits_for.as<events::TargetWait>();
    const bool again = held != nullptr && held->limit == wait.limit;
    const std::int64_t before = again ? held->times.value_or(1) : 0;
    const auto times = std::min<std::int64_t>(before + 1, held_back_doubled_max);
    wait.times = times;
    if (times < 2) return;
    Duration least = held_back_least * (std::int64_t{1} << (times - 1));
    least = std::min(least, wait.limit ? held_back_by_limit_most : held_back_most);
    const auto until = saturating_add(moment_.now, least);
    if (!wait.until || *wait.until < until) wait.until = until;
}

void Decision::begin_wait(const Token& token, const json::object& config) {
    if (config.contains("event") || config.contains("events") || config.contains("signal")) {
        begin_event_wait(token, config);
        return;
    }
    const auto until = wait_end(config, moment_.now);
    if (!until) return fail_step(token, "wait_duration", until.error().message);
    append_wait(token, events::TimeWait{*until});
}

void Decision::begin_event_wait(const Token& token, const json::object& config) {
    const bool goal = node_of(token).type == NodeType::goal;
    const auto until = after(config, goal ? "within" : "timeout", moment_.now);
    if (!until) return fail_step(token, until.error());
    if (const auto* signal = config.if_contains("signal")) {
        return append_wait(token, events::SignalWait{*until, *signal});
    }
    events::EventWait wait;
    wait.until = *until;
    if (const auto* list = config.if_contains("events")) {
        if (const auto* several = list->if_array()) wait.events = *several;
        wait.mode = text_in(config, "mode");
    } else {
        const json::value handle("default");
        wait.events.push_back(events::write(events::AwaitedEvent{
            &handle,
            config.if_contains("event"),
            config.if_contains("key"),
            config.if_contains("filter")}));
    }
    for (json::value& event : wait.events) {
        json::object* one = event.if_object();
        if (one == nullptr || events::read<events::AwaitedEvent>(event).key) continue;
        events::AwaitedEvent keyed;
        keyed.key = json::value(state_.subject);
        *one = events::write(std::move(keyed), std::move(*one));
    }
    const std::string problem =
        name_problem(NodeType::wait, json::object{{"events", wait.events}}, Names::rendered);
    if (!problem.empty()) return fail_step(token, "too_long", problem);
    append_wait(token, std::move(wait));
}

void Decision::begin_task(const Token& token, const json::object& config) {
    auto asked = people_asked(config, moment_.now);
    if (!asked) return fail_step(token, asked.error());
    events::TaskWait wait;
    wait.visit = token.visit;
    const auto due = after(config, "due", moment_.now);
    if (!due) return fail_step(token, due.error());
    wait.until = *due;
    const auto remind = after(config, "remind_after", moment_.now);
    if (!remind) return fail_step(token, remind.error());
    wait.remind_at = *remind;
    json::object data = events::write_asked(std::move(*asked), wait);
    append_step(EventType::wait_started, token, std::move(data), nullptr);
}

// The peer of a callback has been silent for longer than it may.
static StepError heartbeat_lost() {
    return {
        ErrorClass::ambiguous,
        "heartbeat_lost",
        "the peer has not said in time that it is still at work",
        std::nullopt};
}

// False when the token goes on waiting.
bool Decision::settle_waiting(const Token& token) {
    const events::Wait& wait = token.waits_for;
    if (wait.for_time()) {
        if (token.until > moment_.now) return false;
        complete(token, nullptr);
        return true;
    }
    if (const Mail* mail = find_addressed(state_, token)) return settle_addressed(token, *mail);
    if (const auto* task = wait.as<events::TaskWait>()) return settle_task(token, *task);
    if (wait.is<events::EventWait>() || wait.is<events::SignalWait>()) {
        return settle_event_wait(token);
    }
    const auto* callback = wait.as<events::CallbackWait>();
    if (callback != nullptr && callback->beat_by && *callback->beat_by <= moment_.now) {
        fail_step(token, heartbeat_lost());
        return true;
    }
    const auto until = wait.until();
    if (!until || *until > moment_.now) return false;
    if (!end_late_child(token)) time_out(token);
    return true;
}

// A child whose caller gives it up ends, and undoes what it did, before the caller goes on; with
// `on_parent_close: wait` it comes to its own end. A rule that tries again waits for the same child
// once more.
bool Decision::end_late_child(const Token& token) {
    // One that is left alone, or no child.
    if (!is_under_way(token)) return false;
    if (may_retry(node_of(token), token.attempt, late(token))) return false;
    events::WaitNoted noted;
    noted.note = events::WaitNote::timed_out;
    end_child(node_of(token), token.waits_for, noted.ends);
    append_step(token, std::move(noted));
    return true;
}

// The peer is still at it.
void Decision::beat(const events::Address& from) {
    const Token* token = state_.find_token(static_cast<TokenId>(from.token.value_or(token_of_run)));
    if (token == nullptr || from.visit != std::int64_t{token->visit}) return;
    const auto* wait = token->waits_for.as<events::CallbackWait>();
    const auto every = wait == nullptr ? std::nullopt : heartbeat_of(*wait);
    if (!every) return;
    events::WaitNoted noted;
    noted.note = events::WaitNote::heartbeat;
    noted.beat_by = saturating_add(moment_.now, *every);
    append_step(*token, std::move(noted));
}

bool Decision::settle_event_wait(const Token& token) {
    const auto match = match_events(state_, token);
    if (match) {
        events::NodePassed passed;
        json::array values;
        for (const Mail* mail : match->mails) {
            passed.mail.push_back(mail->id);
            values.push_back(events::write(events::read<events::EventAnswer>(mail->data)));
        }
        const auto* events_wait = token.waits_for.as<events::EventWait>();
        const bool all = events_wait != nullptr && events_wait->wants_all();
        passed.value = all ? json::value(std::move(values)) : std::move(values[0]);
        passed.handle = match->handle;
        pass(token, std::move(passed));
        return true;
    }
    const auto until = token.waits_for.until();
    if (!until || *until > moment_.now) return false;
    time_out(token);
    return true;
}

StepError Decision::late(const Token& token) {
    const std::string_view what = token.waits_for.is<events::TaskWait>() ? "decision"
                                  : token.waits_for.is<events::ChildWait>()
                                      ? "result"
                                      : token.waits_for.name();
    return {
        ErrorClass::permanent, "timeout", fmt::format("no {} came in time", what), std::nullopt};
}

void Decision::time_out(const Token& token) {
    if (!has_way(token, "timeout")) {
        StepError error = late(token);
        // What a child that was told to end could not undo.
        if (const Mail* mail = find_addressed(state_, token)) {
            const StepError child = child_error(events::read<events::ChildSignal>(mail->data));
            if (child.cause && !child.cause->not_undone.empty()) error.cause = child.cause;
        }
        return fail_step(token, error);
    }
    events::NodePassed passed;
    passed.value = json::object{{"timed_out", true}};
    passed.undone = has_ended_undone(token);
    passed.handle = "timeout";
    pass(token, std::move(passed));
}

// Whether the child was told to end because it was late.
static bool is_late_child(const Token& token) {
    const auto* child = token.waits_for.as<events::ChildWait>();
    return child != nullptr && child->late;
}

// Whether it was, and did so: nothing of it is left.
bool Decision::has_ended_undone(const Token& token) const {
    if (!is_late_child(token)) return false;
    const Mail* mail = find_addressed(state_, token);
    return mail != nullptr && events::read<events::ChildSignal>(mail->data).status != "completed";
}

bool Decision::settle_task(const Token& token, const events::TaskWait& task) {
    const auto due = [this](const std::optional<Instant>& at) { return at && *at <= moment_.now; };
    if (due(task.until)) {
        time_out(token);
        return true;
    }
    if (!due(task.escalate_at) && !due(task.remind_at)) return false;
    events::WaitNoted noted;
    if (due(task.escalate_at)) {
        noted.note = events::WaitNote::escalated;
        if (!task.escalate_to.is_null()) noted.assignee = &task.escalate_to;
    }
    append_step(token, std::move(noted));
    return true;
}

// The answer to what this token asked for.
bool Decision::settle_addressed(const Token& token, const Mail& mail) {
    if (is_late_child(token) && !token.withdrawn) {
        time_out(token);
        return true;
    }
    // What is appended takes the message away.
    const json::value data = mail.data;
    switch (mail.kind) {
        case SignalKind::task: end_task(token, events::read<events::TaskAnswer>(data)); break;
        case SignalKind::child: end_call(token, events::read<events::ChildSignal>(data)); break;
        case SignalKind::callback:
            end_callback(token, events::read<events::CallbackSignal>(data));
            break;
        default: {
            const auto* lock = token.waits_for.as<events::LockWait>();
            events::LockPassed inside{lock == nullptr ? std::string_view() : lock->key};
            complete(token, events::write(inside));
            break;
        }
    }
    return true;
}

void Decision::end_task(const Token& token, const events::TaskAnswer& answer) {
    const bool approved = text(answer.decision) == "approved";
    if (approved && !token.turns.empty()) return end_review(token, answer);
    const std::string_view handle = approved ? "approved" : "rejected";
    const bool way = has_way(token, handle);
    if (!way && !approved) {
        return fail_step(
            token,
            "rejected",
            fmt::format("{} rejected it: {}", text(answer.by), text(answer.reason))
        );
    }
    pass(token, way ? handle : "default", json::value(events::write(answer)));
}

void Decision::end_call(const Token& token, events::ChildSignal child) {
    if (child.status != "completed") return fail_step(token, child_error(child));
    complete(token, std::move(child.output).take());
}

void Decision::end_callback(const Token& token, events::CallbackSignal callback) {
    if (callback.status == "completed") {
        return complete(token, std::move(callback.data).take());
    }
    if (callback.error) {
        return fail_step(token, step_error_from_json(*callback.error), callback.again);
    }
    events::ChildSignal unsaid;
    unsaid.status = callback.status;
    fail_step(token, child_error(unsaid), callback.again);
}

}  // namespace pawl::plan
