#include "model/duration.hpp"
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

void copy(json::object& to, const json::object& from, std::string_view key) {
    if (const json::value* value = from.if_contains(key)) to.insert_or_assign(key, *value);
}

}  // namespace

void Decision::begin_wait(const Token& token, const json::object& config) {
    if (config.contains("event") || config.contains("events") || config.contains("signal")) {
        begin_event_wait(token, config);
        return;
    }
    const auto until = wait_end(config, moment_.now);
    if (!until) return fail_step(token, "wait_duration", until.error().message);
    append_step(
        EventType::wait_started, token, json::object{{"until", micros_of(*until)}}, nullptr
    );
}

void Decision::begin_event_wait(const Token& token, const json::object& config) {
    const auto until = after(config, "timeout", moment_.now);
    if (!until) return fail_step(token, until.error());
    json::object data;
    if (*until) data["until"] = micros_of(**until);
    if (const auto* signal = config.if_contains("signal")) {
        data["for"] = "signal";
        data["name"] = *signal;
    } else {
        data["for"] = "event";
        json::array events;
        if (const auto* list = config.if_contains("events")) {
            if (const auto* several = list->if_array()) events = *several;
            copy(data, config, "mode");
        } else {
            json::object one{{"handle", "default"}};
            copy(one, config, "event");
            copy(one, config, "key");
            copy(one, config, "filter");
            events.push_back(std::move(one));
        }
        for (json::value& event : events) {
            json::object* one = event.if_object();
            if (one != nullptr && !one->contains("key")) (*one)["key"] = state_.subject;
        }
        const std::string problem =
            name_problem(NodeType::wait, json::object{{"events", events}}, Names::rendered);
        if (!problem.empty()) return fail_step(token, "too_long", problem);
        data["events"] = std::move(events);
    }
    append_step(EventType::wait_started, token, std::move(data), nullptr);
}

void Decision::begin_task(const Token& token, const json::object& config) {
    auto asked = people_asked(config, moment_.now);
    if (!asked) return fail_step(token, asked.error());
    json::object data = std::move(*asked);
    data["for"] = "task";
    data["visit"] = token.visit;
    for (const auto& [from, to] : {std::pair{"due", "until"}, {"remind_after", "remind_at"}}) {
        const auto at = after(config, from, moment_.now);
        if (!at) return fail_step(token, at.error());
        data.erase(from);
        if (*at) data[to] = micros_of(**at);
    }
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
    const std::string_view kind = waited_kind(token.waits_for);
    if (kind.empty()) {
        if (token.until > moment_.now) return false;
        append_step(EventType::step_completed, token, nullptr, nullptr);
        return true;
    }
    if (const Mail* mail = find_addressed(state_, token)) return settle_addressed(token, *mail);
    if (kind == "task") return settle_task(token);
    if (kind == "event" || kind == "signal") return settle_event_wait(token);
    const auto beat_by = instant_in(token.waits_for, "beat_by");
    if (beat_by && *beat_by <= moment_.now) {
        fail_step(token, heartbeat_lost());
        return true;
    }
    const auto until = instant_in(token.waits_for, "until");
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
    json::object note{{"note", "timed_out"}};
    json::array ends;
    end_child(node_of(token), token.waits_for, ends);
    if (!ends.empty()) note["ends"] = std::move(ends);
    append_step(EventType::wait_noted, token, std::move(note), nullptr);
    return true;
}

// The peer is still at it.
void Decision::beat(const json::value& data) {
    const Token* token = state_.find_token(
        static_cast<TokenId>(whole_number(find(data, "token")).value_or(token_of_run))
    );
    if (token == nullptr || waited_kind(token->waits_for) != "callback") return;
    if (whole_number(find(data, "visit")) != std::int64_t{token->visit}) return;
    const auto every = heartbeat_of(token->waits_for);
    if (!every) return;
    const Instant by = saturating_add(moment_.now, *every);
    json::object note{{"note", "heartbeat"}, {"beat_by", micros_of(by)}};
    append_step(EventType::wait_noted, *token, std::move(note), nullptr);
}

bool Decision::settle_event_wait(const Token& token) {
    const auto match = match_events(state_, token);
    if (match) {
        json::array mails;
        json::array values;
        for (const Mail* mail : match->mails) {
            mails.push_back(mail->id);
            json::object value;
            for (const std::string_view key : {"name", "key", "id", "data"}) {
                if (const auto* part = find(mail->data, key)) value[key] = *part;
            }
            values.push_back(std::move(value));
        }
        const bool all = text_in(token.waits_for, "mode") == "all";
        json::object data{{"mail", std::move(mails)}};
        data["value"] = all ? json::value(std::move(values)) : values[0];
        pass(token, std::string(match->handle), std::move(data));
        return true;
    }
    const auto until = instant_in(token.waits_for, "until");
    if (!until || *until > moment_.now) return false;
    time_out(token);
    return true;
}

StepError Decision::late(const Token& token) {
    const std::string_view kind = waited_kind(token.waits_for);
    const std::string_view what = kind == "task" ? "decision" : kind == "child" ? "result" : kind;
    return {
        ErrorClass::permanent, "timeout", fmt::format("no {} came in time", what), std::nullopt};
}

void Decision::time_out(const Token& token) {
    if (!has_way(token, "timeout")) {
        StepError error = late(token);
        // What a child that was told to end could not undo.
        if (const Mail* mail = find_addressed(state_, token)) {
            const StepError child = child_error(mail->data);
            if (child.cause && !child.cause->not_undone.empty()) error.cause = child.cause;
        }
        return fail_step(token, error);
    }
    json::object data{{"value", json::object{{"timed_out", true}}}};
    if (has_ended_undone(token)) data["undone"] = true;
    pass(token, "timeout", std::move(data));
}

// Whether the child was told to end because it was late, and did so: nothing of it is left.
bool Decision::has_ended_undone(const Token& token) const {
    if (find(token.waits_for, "late") == nullptr) return false;
    const Mail* mail = find_addressed(state_, token);
    return mail != nullptr && text_in(mail->data, "status") != "completed";
}

bool Decision::settle_task(const Token& token) {
    const auto due = [&](std::string_view key) {
        const auto at = instant_in(token.waits_for, key);
        return at && *at <= moment_.now;
    };
    if (due("until")) {
        time_out(token);
        return true;
    }
    for (const auto& [key, note] :
         {std::pair{"escalate_at", "escalated"}, {"remind_at", "reminded"}}) {
        if (!due(key)) continue;
        json::object data{{"note", note}};
        const json::value* fallback = find(token.waits_for, "escalate_to");
        if (std::string_view(note) == "escalated" && fallback) data["assignee"] = *fallback;
        append_step(EventType::wait_noted, token, std::move(data), nullptr);
        return true;
    }
    return false;
}

// The answer to what this token asked for.
bool Decision::settle_addressed(const Token& token, const Mail& mail) {
    const json::value data = mail.data;
    if (find(token.waits_for, "late") != nullptr && !token.withdrawn) {
        time_out(token);
        return true;
    }
    if (mail.kind == "task") {
        const bool approved = text_in(data, "decision") == "approved";
        const std::string_view handle = approved ? "approved" : "rejected";
        const bool way = has_way(token, handle);
        if (!way && !approved) {
            fail_step(
                token,
                "rejected",
                fmt::format("{} rejected it: {}", text_in(data, "by"), text_in(data, "reason"))
            );
            return true;
        }
        json::object value;
        for (const std::string_view key : {"decision", "by", "reason", "data"}) {
            if (const auto* part = find(data, key)) value[key] = *part;
        }
        pass(token, way ? handle : "default", {{"value", std::move(value)}});
        return true;
    }
    const std::string_view status = text_in(data, "status");
    if (mail.kind != "lock" && status != "completed") {
        const json::value* error = find(data, "error");
        const json::value* again = find(data, "again");
        const bool asked = mail.kind == "callback" && again != nullptr && *again == true;
        fail_step(
            token,
            mail.kind == "child" || error == nullptr ? child_error(data)
                                                     : step_error_from_json(*error),
            asked
        );
        return true;
    }
    if (mail.kind == "lock") {
        json::object inside{{"key", text_in(token.waits_for, "key")}};
        append_step(EventType::step_completed, token, std::move(inside), nullptr);
        return true;
    }
    const json::value* result = find(data, mail.kind == "child" ? "output" : "data");
    append_step(
        EventType::step_completed, token, result == nullptr ? json::value() : *result, nullptr
    );
    return true;
}

// Events that end the run wherever it stands.
bool Decision::watch_exits() {
    if (definition_.exit_on.empty() || state_.unwinding || state_.stopping || state_.ended) {
        return false;
    }
    if (state_.exit_watch.is_null()) {
        json::array events;
        Scope scope(definition_, state_);
        for (const ExitEvent& exit : definition_.exit_on) {
            json::value key(state_.subject);
            if (!exit.key.empty()) {
                auto rendered = render(json::value(exit.key), [&](const Path& path) {
                    return scope.find(path);
                });
                // A run that cannot tell what would end it goes on without.
                key = rendered ? as_name(std::move(*rendered)) : json::value("");
            }
            if (key.is_string() && key.get_string().size() > name_bytes_max) key = "";
            json::object one{{"event", exit.event}, {"key", std::move(key)}};
            if (!exit.filter.is_null()) {
                auto filter =
                    render(exit.filter, [&](const Path& path) { return scope.find(path); });
                if (!filter) continue;
                one["filter"] = std::move(*filter);
            }
            events.push_back(std::move(one));
        }
        Event event;
        event.type = EventType::wait_started;
        event.token = token_of_run;
        event.data = json::object{{"for", "event"}, {"events", std::move(events)}};
        append(std::move(event));
        return true;
    }
    const Mail* mail = find_exit(state_);
    if (mail == nullptr) return false;
    const json::object output{{"exited_by", text_in(mail->data, "name")}};
    stop({RunStatus::completed, {}, output});
    return true;
}

}  // namespace pawl::plan
