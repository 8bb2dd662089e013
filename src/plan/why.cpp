#include "plan/why.hpp"

#include "base/json.hpp"
#include "model/events/error_data.hpp"
#include "plan/not_undone.hpp"
#include "plan/why_places.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

// A sentence with a reason behind it, if there is one.
Clause with_reason(WhyCode code, std::string_view sentence, const Surroundings& around) {
    if (around.reason.empty()) return {code, fmt::format("{}.", sentence), {}};
    return {code, fmt::format("{}: {}.", sentence, around.reason), {{"reason", around.reason}}};
}

Help went_on(const Surroundings& around) {
    if (around.went_on_as.empty()) return {};
    return help_by(
        HelpCode::look_at_retry,
        "look at the run that it was retried as",
        fmt::format("pawl runs why {}", around.went_on_as)
    );
}

// The step of another run.
Clause child_clause(const json::value& untold) {
    const auto left = events::read<events::ChildNotUndone>(untold);
    return {
        WhyCode::child_not_undone,
        fmt::format("A child run is not undone: {}.", describe_not_undone(untold)),
        {{"by", left.by.value_or("")},
         {"step", left.step.value_or("")},
         {"run", left.run},
         {"error", left.error ? events::error_message(*left.error) : ""}}};
}

void add_not_undone(Why& why, const RunState& state, const Surroundings& around) {
    for (const json::value& one : untold_by_children(state)) {
        why.clauses.push_back(child_clause(one));
    }
    const auto list = events::read<events::FailurePlace>(state.error).not_undone;
    if (!list || !list->is_array()) return;
    for (const json::value& one : list->get_array()) {
        const auto left = events::read<events::NotUndone>(one);
        const std::string_view step = left.step.value_or("");
        const std::string_view by = left.by.value_or("");
        const std::string_view error = left.error ? events::error_message(*left.error) : "";
        why.clauses.push_back(
            {WhyCode::not_undone,
             fmt::format("'{}' could not be undone: '{}' failed: {}.", step, by, error),
             {{"step", step}, {"by", by}, {"error", error}}}
        );
    }
    if (!around.went_on_as.empty()) return;
    why.help = help_by(
        HelpCode::retry_undoing,
        "put it right, then let it go on undoing",
        fmt::format("pawl runs retry {}", around.run)
    );
}

Why closed(const RunState& state, const Surroundings& around) {
    if (state.status == RunStatus::completed) {
        return {{{WhyCode::completed, "It completed.", {}}}, {}, {}};
    }
    Why why{{}, went_on(around), {}};
    if (state.status == RunStatus::cancelled) {
        why.clauses.push_back(with_reason(WhyCode::cancelled, "It was cancelled", around));
    } else {
        const std::string_view step = events::error_step(state.error);
        const std::string_view code = events::error_code(state.error);
        const std::string_view message = events::error_message(state.error);
        why.clauses.push_back(
            {WhyCode::failed,
             fmt::format("It failed at '{}': {}: {}.", step, code, message),
             {{"step", step}, {"error", code}, {"message", message}}}
        );
        if (why.help.code == HelpCode::nothing) {
            why.help = help_by(
                HelpCode::retry, "put it right, then", fmt::format("pawl runs retry {}", around.run)
            );
        }
    }
    add_not_undone(why, state, around);
    return why;
}

Why queued(const Surroundings::Gate& gate) {
    const std::string key = gate.key.empty() ? "" : fmt::format(" of '{}'", gate.key);
    std::string whose = gate.workflow.empty() ? "" : fmt::format(" --workflow {}", gate.workflow);
    if (!gate.key.empty()) whose += fmt::format(" --key '{}'", gate.key);
    json::object names{
        {"limit", gate.name},
        {"inside", gate.running},
        {"most", gate.limit},
        {"waiting", gate.waiting}};
    if (!gate.key.empty()) names["key"] = gate.key;
    std::string sentence = fmt::format(
        "It waits at the limit {}{}: {} of {} are inside, {} wait.",
        gate.name,
        key,
        gate.running,
        gate.limit,
        gate.waiting
    );
    return {
        {{WhyCode::waits_limit, std::move(sentence), std::move(names)}},
        help_by(
            HelpCode::raise_limit,
            "let one of them end, or more in",
            fmt::format("pawl limits set {} {}{}", gate.name, gate.limit + 1, whose)
        ),
        {}};
}

Why told_paused(const RunState& state, const Surroundings& around) {
    const std::string resume = fmt::format("pawl runs resume {}", around.run);
    if (!state.held) {
        return {
            {with_reason(WhyCode::paused, "It is paused", around)},
            help_by(HelpCode::resume, "let it go on", resume),
            {}};
    }
    const auto& [code, reason] = *state.held;
    return {
        {{WhyCode::held,
          fmt::format("It is held, not failed ({}): {}.", code, reason),
          {{"error", code}, {"reason", reason}}}},
        help_by(
            HelpCode::fix_code,
            "put the C++ workflow right (or give it a new version), then",
            resume
        ),
        {}};
}

Why planning(const Definition& definition, const Surroundings& around) {
    Why why;
    why.clauses.push_back(
        {WhyCode::plan_next,
         fmt::format(
             "Its plan is asked next, by a worker that has the C++ workflow {} {}.",
             definition.name,
             definition.code
         ),
         {{"workflow", definition.name}, {"version", definition.code}}}
    );
    if (!around.held) {
        why.help = {HelpCode::start_program, "start the program that has it", {}};
    }
    return why;
}

Why standing(std::vector<WhyPlace> places, const RunState& state, const Surroundings& around) {
    std::stable_sort(places.begin(), places.end(), [](const WhyPlace& a, const WhyPlace& b) {
        return a.rank > b.rank;
    });
    Why result;
    if (state.stopping) {
        result.clauses.push_back(
            {WhyCode::stopping, "It begins nothing new and waits for what is under way:", {}}
        );
    }
    if (state.unwinding) {
        result.clauses.push_back({WhyCode::undoing, "It is undoing what it did:", {}});
    }
    result.clauses.push_back(places[0].clause);
    result.help = std::move(places[0].help);
    if (state.stopping && result.help.code == HelpCode::nothing) {
        result.help = help_by(
            HelpCode::force,
            "or end it at once",
            fmt::format("pawl runs cancel {} --force", around.run)
        );
    }
    if (places.size() == 1) return result;
    for (WhyPlace& place : places) result.places.push_back(std::move(place.clause));
    return result;
}

}  // namespace

std::string sentence_of(const Why& why) {
    std::string all;
    for (const Clause& clause : why.clauses) {
        if (!all.empty()) all += ' ';
        all += clause.sentence;
    }
    return all;
}

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
    if (state.paused) return told_paused(state, around);
    if (around.gate) return queued(*around.gate);
    std::vector<WhyPlace> places;
    for (const Token& token : state.tokens) {
        if (token.node >= definition.nodes.size()) continue;
        places.push_back(place_of(definition, state, around, now, token));
    }
    if (!places.empty()) return standing(std::move(places), state, around);
    if (state.plan_due) return planning(definition, around);
    return {{{WhyCode::ending, "It is about to end.", {}}}, {}, {}};
}

}  // namespace pawl::plan
