#include "app/views/run_steps.hpp"

#include "app/views/event_json.hpp"
#include "base/json.hpp"
#include "model/events/step_events.hpp"
#include "plan/planner.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

// An event of a log, with what else is known of it.
struct Shown {
    const std::vector<Event>& log;
    const std::vector<plan::EventPlace>& places;
    const std::vector<std::string>& traces;  // may be empty: there are none
};

json::object attempt_of(const Shown& shown, std::size_t i) {
    const Event& event = shown.log[i];
    json::object attempt;
    attempt["attempt"] = event.attempt;
    attempt["outcome"] = event.type == EventType::step_completed ? "completed" : "failed";
    attempt["at"] = to_rfc3339(event.at);
    if (!event.error.is_null()) attempt["error"] = event.error;
    if (event.type == EventType::step_failed) {
        const auto failed = events::read<events::StepFailed>(event);
        if (!failed.worker.empty()) attempt["worker"] = failed.worker;
    }
    if (!shown.traces.empty()) {
        const std::string& trace = shown.traces[i];
        attempt["trace_url"] = trace.empty() ? json::value() : json::value(trace);
    }
    add_place(attempt, event, shown.places[i]);
    return attempt;
}

std::string_view phase_status(const plan::Token& token, bool worked_on) {
    switch (token.phase) {
        case plan::TokenPhase::waiting: return "waiting";
        case plan::TokenPhase::backoff:
        case plan::TokenPhase::resting: return "retrying";
        default: return worked_on ? "running" : "pending";
    }
}

// A step that no executor carries out: a wait, a choice, a join. It has no attempts.
void add_passed(json::object& step, const Event& event) {
    step["status"] = event.error.is_null() ? "completed" : "failed";
    if (!event.error.is_null()) step["error"] = event.error;
    const auto passed = events::read<events::NodePassed>(event);
    if (passed.value) step["result"] = *passed.value;
}

// A caller said that it need not be done, or it is switched off; an attempt that failed before is
// still among its attempts.
void add_skipped(json::object& step, const Event& event) {
    step["status"] = "skipped";
    step.erase("error");
    auto skipped = events::read<events::StepSkipped>(event);
    step["result"] = std::move(skipped.value).take();
    if (skipped.disabled) {
        step["disabled"] = true;
    } else {
        step["skipped"] = {{"by", skipped.by}, {"reason", skipped.reason}};
    }
}

// Its call was under way when it was skipped: how that ends comes later in the log.
bool is_awaited(const Event& skipped) {
    const auto said = events::read<events::StepSkipped>(skipped);
    const auto& tokens = said.withdrawal.awaited;
    return std::find(tokens.begin(), tokens.end(), skipped.token) != tokens.end();
}

// What the log says about a step that is over, as far as it goes.
void add_history(json::object& step, const Node& node, const Shown& shown) {
    const std::vector<Event>& log = shown.log;
    json::array attempts;
    const Event* skipped = nullptr;  // the last time, if its call was under way then
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& event = log[i];
        if (event.node != node.id) continue;
        if (event.type == EventType::step_skipped) {
            add_skipped(step, event);
            skipped = is_awaited(event) ? &event : nullptr;
            continue;
        }
        const bool ends =
            event.type == EventType::step_completed || event.type == EventType::step_failed;
        if (ends && skipped != nullptr && skipped->token == event.token) {
            attempts.push_back(attempt_of(shown, i));
            continue;
        }
        if (event.type == EventType::step_advanced) {
            if (events::read<events::StepAdvanced>(event).turn == 0) step.erase("turns");
            json::value& turns = step["turns"];
            if (!turns.is_array()) turns = json::array();
            json::object turn = event.data.is_object() ? event.data.get_object() : json::object();
            turn["at"] = to_rfc3339(event.at);
            turns.get_array().push_back(std::move(turn));
            step.erase("error");
        } else if (event.type == EventType::step_completed) {
            if (event.attempt > 0) attempts.push_back(attempt_of(shown, i));
            step["status"] = "completed";
            step["result"] = event.data;
            step.erase("error");
        } else if (event.type == EventType::step_failed) {
            attempts.push_back(attempt_of(shown, i));
            step["status"] = "failed";
            step["error"] = event.error;
        } else if (event.type == EventType::node_passed || event.type == EventType::joined) {
            add_passed(step, event);
        }
    }
    step["attempts"] = std::move(attempts);
}

json::array listed(
    const Definition& definition, const plan::RunState& state, const Shown& shown, bool worked_on
) {
    json::array steps;
    for (NodeIndex index = 0; index < definition.nodes.size(); ++index) {
        const Node& node = definition.nodes[index];
        json::object step;
        step["step"] = node.id;
        step["type"] = name(node.type);
        step["status"] = "pending";
        if (node.disabled) step["disabled"] = true;
        add_history(step, node, shown);
        for (const plan::Token& token : state.tokens) {
            if (token.node != index || token.skipped) continue;
            step["status"] = phase_status(token, worked_on);
            if (token.phase == plan::TokenPhase::backoff ||
                token.phase == plan::TokenPhase::resting ||
                token.phase == plan::TokenPhase::waiting) {
                step["next_attempt_at"] = to_rfc3339(token.until);
            }
        }
        const bool unfinished = step["status"] == "pending";
        if (unfinished && state.status == RunStatus::cancelled) step["status"] = "cancelled";
        // The run went another way. One that failed may be retried, and come to it then.
        if (unfinished && state.status == RunStatus::completed) step["status"] = "skipped";
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace

json::array steps_of(FoldedRun run, const engine::TraceLinks& links) {
    const auto traces = links.of(run.run.id, run.log);
    put_times_in_order(run.run.id, run.log);
    const bool worked_on = run.run.status == "running";
    const auto log = plan::renamed(std::move(run.log));
    return listed(run.program->definition, run.state, {log, run.places, traces}, worked_on);
}

json::array steps_of(const Definition& definition, const std::vector<Event>& log, bool worked_on) {
    const std::vector<plan::Pin> pins{{plan::pinned_version(log), &definition}};
    const auto places = plan::places_of(pins, log);
    return listed(definition, plan::fold(pins, log), {log, places, {}}, worked_on);
}

}  // namespace pawl::app
