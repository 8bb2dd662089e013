#include "base/json.hpp"
#include "model/events/error_data.hpp"
#include "plan/waits.hpp"
#include "plan/why_places.hpp"

#include <fmt/format.h>

namespace pawl::plan {

namespace {

// What one token waits for.
class WaitTeller {
public:
    WaitTeller(const std::string& step, const std::string& run) : step_(step), run_(run) {}

    WhyPlace place(const Token& token) const {
        const events::Wait& wait = token.waits_for;
        if (const auto* events = wait.as<events::EventWait>()) return for_events(token, *events);
        if (const auto* task = wait.as<events::TaskWait>()) return for_person(token, *task);
        if (const auto* child = wait.as<events::ChildWait>()) return for_child(token, *child);
        if (const auto* callback = wait.as<events::CallbackWait>()) {
            return for_callback(token, *callback);
        }
        if (const auto* awaited = wait.as<events::SignalWait>()) {
            return for_signal(token, events::text(&awaited->name));
        }
        if (const auto* lock = wait.as<events::LockWait>()) {
            return {
                4,
                said(
                    WhyCode::waits_lock,
                    fmt::format("waits at '{}' for the lock {}", step_, lock->key),
                    {{"key", lock->key}}
                ),
                {HelpCode::end_holder, "the run that holds it must leave it or end", {}}};
        }
        const std::string at = to_rfc3339(token.until);
        return {
            3,
            said(
                WhyCode::waits_time, fmt::format("waits at '{}' until {}", step_, at), {{"at", at}}
            ),
            {}};
    }

private:
    static std::string_view error_of(const events::CallbackWait& wait) {
        return wait.error.is_null() ? std::string_view("no answer")
                                    : events::error_message(wait.error);
    }

    static std::string limit(const Token& token) {
        const auto until = token.waits_for.until();
        return until ? fmt::format(", until {} at the latest", to_rfc3339(*until)) : std::string();
    }
    // Null: there is none.
    static json::value limit_of(const Token& token) {
        const auto until = token.waits_for.until();
        return until ? json::value(to_rfc3339(*until)) : json::value();
    }

    WhyPlace for_signal(const Token& token, std::string_view signal) const {
        return {
            5,
            said(
                WhyCode::waits_signal,
                fmt::format("waits at '{}' for the signal {}{}", step_, signal, limit(token)),
                {{"signal", signal}, {"until", limit_of(token)}}
            ),
            help_by(
                HelpCode::send_signal,
                "send it",
                fmt::format("pawl runs signal {} {}", run_, signal)
            )};
    }

    WhyPlace for_child(const Token& token, const events::ChildWait& child) const {
        return {
            4,
            said(
                WhyCode::waits_child,
                fmt::format("waits at '{}' for its child run {}{}", step_, child.run, limit(token)),
                {{"run", child.run}, {"until", limit_of(token)}}
            ),
            help_by(
                HelpCode::look_at_child, "look there", fmt::format("pawl runs why {}", child.run)
            )};
    }

    WhyPlace for_callback(const Token& token, const events::CallbackWait& wait) const {
        if (wait.unknown) {
            return {
                7,
                said(
                    WhyCode::unknown_outcome,
                    fmt::format(
                        "the outcome of '{}' is unknown ({}): it may have taken place",
                        step_,
                        error_of(wait)
                    ),
                    {{"error", wait.error.is_null() ? json::value() : json::value(error_of(wait))}}
                ),
                help_by(
                    HelpCode::settle,
                    "find out, then",
                    fmt::format(
                        "pawl runs settle {} --node {} --as completed|failed|retry", run_, step_
                    )
                )};
        }
        return {
            5,
            said(
                WhyCode::waits_callback,
                fmt::format(
                    "waits at '{}' for the called service to call back{}", step_, limit(token)
                ),
                {{"until", limit_of(token)}}
            ),
            skip_help(run_, step_)};
    }

    WhyPlace for_events(const Token& token, const events::EventWait& wait) const {
        std::string listed;
        json::array events;
        Help help;
        for (const json::value& entry : wait.events) {
            const auto awaited = events::read<events::AwaitedEvent>(entry);
            const std::string_view event = text(awaited.event);
            const std::string_view key = text(awaited.key);
            if (!listed.empty()) listed += wait.wants_all() ? " and " : " or ";
            listed += key.empty() ? std::string(event) : fmt::format("{} with key {}", event, key);
            if (awaited.filter) listed += " that its filter lets pass";
            json::object one{{"event", event}};
            if (!key.empty()) one["key"] = key;
            if (awaited.filter) one["filtered"] = true;
            events.push_back(std::move(one));
            if (help.code != HelpCode::nothing) continue;
            help = help_by(
                HelpCode::send_event,
                "send it",
                fmt::format("pawl events send {} --key {}", event, key)
            );
        }
        return {
            5,
            said(
                WhyCode::waits_event,
                fmt::format("waits at '{}' for the event {}{}", step_, listed, limit(token)),
                {{"events", std::move(events)},
                 {"mode", wait.wants_all() ? "all" : "any"},
                 {"until", limit_of(token)}}
            ),
            std::move(help)};
    }

    WhyPlace for_person(const Token& token, const events::TaskWait& task) const {
        std::string who = task.assignee;
        json::object names{{"title", task.title}, {"until", limit_of(token)}};
        if (!who.empty()) {
            names["assignee"] = who;
        } else if (!task.group.empty()) {
            who = fmt::format("a person of {}", task.group);
            names["group"] = task.group;
        } else {
            who = "a person";
        }
        return {
            6,
            said(
                WhyCode::waits_person,
                fmt::format(
                    "waits at '{}' for {} to decide: {}{}", step_, who, task.title, limit(token)
                ),
                std::move(names)
            ),
            help_by(HelpCode::decide, "decide it", fmt::format("pawl tasks list --run {}", run_))};
    }

    Clause said(WhyCode code, std::string sentence, json::object names = {}) const {
        return clause_at(step_, code, std::move(sentence), std::move(names));
    }

    const std::string& step_;
    const std::string& run_;
};

}  // namespace

WhyPlace waiting_at(const std::string& step, const std::string& run, const Token& token) {
    return WaitTeller(step, run).place(token);
}

}  // namespace pawl::plan
