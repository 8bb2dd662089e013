#include "plan/why.hpp"

#include "base/json.hpp"
#include "base/spoken.hpp"
#include "model/events/error_data.hpp"
#include "plan/not_undone.hpp"
#include "plan/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

// One place of a run.
struct Place {
    int rank = 0;  // the most telling one is shown first
    std::string sentence;
    std::string helps;
};

class Explainer {
public:
    Explainer(
        const Definition& definition, const RunState& state, const Surroundings& around, Instant now
    )
        : definition_(definition), state_(state), around_(around), now_(now) {}

    Place place(const Token& token) const {
        switch (token.phase) {
            case TokenPhase::ready: return at_work(token);
            case TokenPhase::backoff:
            case TokenPhase::resting: return backing_off(token);
            case TokenPhase::waiting: return waiting(token);
            case TokenPhase::joining: return joining(token);
            case TokenPhase::iterating: return iterating(token);
            case TokenPhase::arrived:
            case TokenPhase::routing: return unsettled(token);
        }
        return {};
    }

private:
    const std::string& id_of(const Token& token) const { return definition_.nodes[token.node].id; }

    Place without_worker(const Token& token) const {
        const bool later = around_.due_at && *around_.due_at > now_;
        if (around_.workers == 0 && !later) {
            return {
                0,
                fmt::format("'{}' is ready, but no worker is alive", id_of(token)),
                "start one: pawl worker"};
        }
        if (later) {
            return {
                1,
                fmt::format("it begins with '{}' {}", id_of(token), moment(*around_.due_at)),
                ""};
        }
        return {1, fmt::format("'{}' is ready and waits for a worker with room", id_of(token)), ""};
    }

    Place at_work(const Token& token) const {
        if (!around_.held) return without_worker(token);
        const std::size_t turns = token.turns.size();
        const std::string turn = turns == 0 ? "" : fmt::format("turn {}, ", turns + 1);
        const std::string& id = id_of(token);
        return {
            2,
            fmt::format("'{}' is being carried out ({}attempt {})", id, turn, token.attempt),
            ""};
    }

    Place unsettled(const Token& token) const {
        if (!around_.held) return without_worker(token);
        if (definition_.nodes[token.node].disabled) {
            return {2, fmt::format("'{}' is switched off and is passed", id_of(token)), ""};
        }
        return {2, fmt::format("'{}' was just reached", id_of(token)), ""};
    }

    static std::string_view error_of(const events::CallbackWait& wait) {
        return wait.error.is_null() ? std::string_view("no answer")
                                    : events::error_message(wait.error);
    }

    Place held_back(const Token& token, const events::TargetWait& wait) const {
        return {
            4,
            fmt::format(
                "'{}' is held back before attempt {}: {}; it goes on {}",
                id_of(token),
                token.attempt,
                wait.reason,
                moment(token.until)
            ),
            fmt::format("look at {}", wait.target)};
    }

    Place backing_off(const Token& token) const {
        const auto* target = token.waits_for.as<events::TargetWait>();
        if (target != nullptr) return held_back(token, *target);
        return {
            3,
            fmt::format(
                "'{}' failed {} and is tried again {}",
                id_of(token),
                times(static_cast<std::uint64_t>(token.attempt - 1)),
                moment(token.until)
            ),
            fmt::format(
                "or skip it: pawl runs skip {} --node {} --reason WHY", around_.run, id_of(token)
            )};
    }

    std::string moment(Instant at) const {
        return at <= now_ ? "now" : fmt::format("at {}", to_rfc3339(at));
    }

    std::string limit(const Token& token) const {
        const auto until = token.waits_for.until();
        return until ? fmt::format(", until {} at the latest", to_rfc3339(*until)) : std::string();
    }

    Place waiting(const Token& token) const {
        const events::Wait& wait = token.waits_for;
        if (const auto* events = wait.as<events::EventWait>()) return for_events(token, *events);
        if (const auto* task = wait.as<events::TaskWait>()) return for_person(token, *task);
        if (const auto* callback = wait.as<events::CallbackWait>()) {
            return for_callback(token, *callback);
        }
        const std::string& id = id_of(token);
        const std::string end = limit(token);
        if (const auto* awaited = wait.as<events::SignalWait>()) {
            const std::string_view signal = events::text(&awaited->name);
            return {
                5,
                fmt::format("waits at '{}' for the signal {}{}", id, signal, end),
                fmt::format("send it: pawl runs signal {} {}", around_.run, signal)};
        }
        if (const auto* child = wait.as<events::ChildWait>()) {
            return {
                4,
                fmt::format("waits at '{}' for its child run {}{}", id, child->run, end),
                fmt::format("look there: pawl runs why {}", child->run)};
        }
        if (const auto* lock = wait.as<events::LockWait>()) {
            return {
                4,
                fmt::format("waits at '{}' for the lock {}", id, lock->key),
                "the run that holds it must leave it or end"};
        }
        return {3, fmt::format("waits at '{}' until {}", id, to_rfc3339(token.until)), ""};
    }

    Place for_callback(const Token& token, const events::CallbackWait& wait) const {
        const std::string& id = id_of(token);
        if (wait.unknown) {
            return {
                7,
                fmt::format(
                    "the outcome of '{}' is unknown ({}): it may have taken place",
                    id,
                    error_of(wait)
                ),
                fmt::format(
                    "find out, then: pawl runs settle {} --node {} --as completed|failed|retry",
                    around_.run,
                    id
                )};
        }
        return {
            5,
            fmt::format("waits at '{}' for the called service to call back{}", id, limit(token)),
            fmt::format("or skip it: pawl runs skip {} --node {} --reason WHY", around_.run, id)};
    }

    Place for_events(const Token& token, const events::EventWait& wait) const {
        std::string names;
        std::string helps;
        for (const json::value& entry : wait.events) {
            const auto event = events::read<events::AwaitedEvent>(entry);
            const std::string_view name = text(event.event);
            const std::string_view key = text(event.key);
            if (!names.empty()) names += wait.wants_all() ? " and " : " or ";
            names +=
                key.empty() ? fmt::format("{}", name) : fmt::format("{} with key {}", name, key);
            if (event.filter) names += " that its filter lets pass";
            if (helps.empty())
                helps = fmt::format("send it: pawl events send {} --key {}", name, key);
        }
        return {
            5,
            fmt::format("waits at '{}' for the event {}{}", id_of(token), names, limit(token)),
            std::move(helps)};
    }

    Place for_person(const Token& token, const events::TaskWait& task) const {
        std::string who = task.assignee;
        if (who.empty()) {
            who = task.group.empty() ? "a person" : fmt::format("a person of {}", task.group);
        }
        return {
            6,
            fmt::format(
                "waits at '{}' for {} to decide: {}{}", id_of(token), who, task.title, limit(token)
            ),
            fmt::format("decide it: pawl tasks list --run {}", around_.run)};
    }

    Place joining(const Token& token) const {
        const auto here =
            std::count_if(state_.tokens.begin(), state_.tokens.end(), [&](const Token& other) {
                return other.phase == TokenPhase::joining && other.node == token.node &&
                       other.frame == token.frame;
            });
        return {1, fmt::format("'{}' waits for other branches, {} came", id_of(token), here), ""};
    }

    Place iterating(const Token& token) const {
        for (const Iteration& one : state_.iterations) {
            if (one.token != token.id) continue;
            return {
                1,
                fmt::format(
                    "'{}' has done {} of {}, {} under way",
                    id_of(token),
                    one.before + one.begun - one.open,
                    counted(one.size(), "item"),
                    one.open
                ),
                ""};
        }
        return {};
    }

    const Definition& definition_;
    const RunState& state_;
    const Surroundings& around_;
    Instant now_;
};

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text + ".";
}

std::string with_reason(std::string_view sentence, const Surroundings& around) {
    if (around.reason.empty()) return fmt::format("{}.", sentence);
    return fmt::format("{}: {}.", sentence, around.reason);
}

std::string went_on(const Surroundings& around) {
    if (around.went_on_as.empty()) return "";
    return fmt::format(
        "look at the run that it was retried as: pawl runs why {}", around.went_on_as
    );
}

void add_not_undone(Why& why, const RunState& state, const Surroundings& around) {
    why.sentence += tell_not_undone_by_children(state);
    const auto list = events::read<events::FailurePlace>(state.error).not_undone;
    if (!list || !list->is_array()) return;
    for (const json::value& one : list->get_array()) {
        const auto left = events::read<events::NotUndone>(one);
        why.sentence += fmt::format(
            " '{}' could not be undone: '{}' failed: {}.",
            left.step.value_or(""),
            left.by.value_or(""),
            left.error ? events::error_message(*left.error) : ""
        );
    }
    if (!around.went_on_as.empty()) return;
    why.what_helps =
        fmt::format("put it right, then let it go on undoing: pawl runs retry {}", around.run);
}

Why closed(const RunState& state, const Surroundings& around) {
    switch (state.status) {
        case RunStatus::completed: return {"It completed.", "", {}};
        case RunStatus::cancelled: {
            Why why{with_reason("It was cancelled", around), went_on(around), {}};
            add_not_undone(why, state, around);
            return why;
        }
        default: break;
    }
    std::string helps = went_on(around);
    if (helps.empty()) helps = fmt::format("put it right, then: pawl runs retry {}", around.run);
    Why why{
        fmt::format(
            "It failed at '{}': {}: {}.",
            events::error_step(state.error),
            events::error_code(state.error),
            events::error_message(state.error)
        ),
        std::move(helps),
        {}};
    add_not_undone(why, state, around);
    return why;
}

Why queued(const Surroundings::Gate& gate) {
    const std::string key = gate.key.empty() ? "" : fmt::format(" of '{}'", gate.key);
    std::string whose = gate.workflow.empty() ? "" : fmt::format(" --workflow {}", gate.workflow);
    if (!gate.key.empty()) whose += fmt::format(" --key '{}'", gate.key);
    return {
        fmt::format(
            "It waits at the limit {}{}: {} of {} are inside, {} wait.",
            gate.name,
            key,
            gate.running,
            gate.limit,
            gate.waiting
        ),
        fmt::format(
            "let one of them end, or more in: pawl limits set {} {}{}",
            gate.name,
            gate.limit + 1,
            whose
        ),
        {}};
}

}  // namespace

std::string reason_in(const std::vector<Event>& log) {
    for (auto event = log.rbegin(); event != log.rend(); ++event) {
        if (event->type != EventType::run_paused && event->type != EventType::run_cancelled) {
            continue;
        }
        return std::string(events::read<events::RunPaused>(*event).reason);
    }
    return "";
}

Why why(
    const Definition& definition, const RunState& state, const Surroundings& around, Instant now
) {
    if (is_terminal(state.status)) return closed(state, around);
    if (state.paused && state.held) {
        return {
            fmt::format("It is held, not failed ({}): {}.", state.held->code, state.held->reason),
            fmt::format(
                "put the C++ workflow right (or give it a new version), then: pawl runs resume {}",
                around.run
            ),
            {}};
    }
    if (state.paused) {
        return {
            with_reason("It is paused", around),
            fmt::format("let it go on: pawl runs resume {}", around.run),
            {}};
    }
    if (around.gate) return queued(*around.gate);
    const Explainer explainer(definition, state, around, now);
    std::vector<Place> places;
    for (const Token& token : state.tokens) {
        if (token.node < definition.nodes.size()) places.push_back(explainer.place(token));
    }
    if (places.empty() && state.plan_due) {
        return {
            fmt::format(
                "Its plan is asked next, by a worker that has the C++ workflow {} {}.",
                definition.name,
                definition.code
            ),
            around.held ? "" : "start the program that has it",
            {}};
    }
    if (places.empty()) return {"It is about to end.", "", {}};
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.rank > b.rank;
    });
    Why result;
    result.sentence = capitalised(places[0].sentence);
    result.what_helps = places[0].helps;
    if (state.unwinding) result.sentence = "It is undoing what it did: " + result.sentence;
    if (state.stopping) {
        result.sentence =
            "It begins nothing new and waits for what is under way: " + result.sentence;
        if (result.what_helps.empty()) {
            result.what_helps =
                fmt::format("or end it at once: pawl runs cancel {} --force", around.run);
        }
    }
    if (places.size() > 1) {
        for (const Place& place : places) result.places.push_back(capitalised(place.sentence));
    }
    return result;
}

}  // namespace pawl::plan
