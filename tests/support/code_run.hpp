#pragma once

#include "embed/definition_of.hpp"
#include "embed/workflow_plan.hpp"
#include "plan/planner.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A run of a C++ workflow on the planner alone: no database, no threads, a clock that is told.
class CodeRun {
public:
    explicit CodeRun(
        std::shared_ptr<const Workflow> workflow, boost::json::value input = boost::json::object()
    )
        : definition(embed::definition_of(*workflow).value()), plan(std::move(workflow)) {
        Event event = plan::run_started(1, 1, std::move(input), "someone", definition);
        event.at = now;
        plan::evolve(definition, state, event);
        log.push_back(std::move(event));
        feed(plan::Resumed{});
    }

    // Returns the types of the events that came of it: "step_completed planned".
    std::string feed(plan::Stimulus stimulus) {
        plan::Moment moment;
        moment.now = now;
        moment.plan = &plan;
        const auto events = plan::decide(definition, state, std::move(stimulus), moment);
        std::string types;
        for (const Event& event : events) {
            types += (types.empty() ? "" : " ") + std::string(name(event.type));
            log.push_back(event);
        }
        return types;
    }

    // The ids of the steps that are under way, in order.
    std::string open() const {
        std::string ids;
        for (const auto& one : state.planned) {
            if (one.handle.empty()) ids += (ids.empty() ? "" : " ") + one.id;
        }
        return ids;
    }

    const plan::PlannedStep& step(std::string_view id) const {
        for (const auto& one : state.planned) {
            if (one.id == id) return one;
        }
        ADD_FAILURE() << "no plan asked for " << id;
        static const plan::PlannedStep none;
        return none;
    }
    boost::json::value input_of(std::string_view id) const {
        const auto* input = step(id).config.if_contains("input");
        return input == nullptr ? boost::json::value() : *input;
    }

    std::string complete(std::string_view id, boost::json::value result) {
        plan::StepFinished finished;
        finished.token = step(id).token;
        finished.result = std::move(result);
        return feed(std::move(finished));
    }
    std::string fail(std::string_view id, ErrorClass error_class, std::string code = "boom") {
        plan::StepFinished finished;
        finished.token = step(id).token;
        finished.error = StepError{error_class, std::move(code), "it broke", std::nullopt};
        return feed(std::move(finished));
    }
    // A person answers the task of a human step: {decision, by, data}.
    std::string decide(std::string_view id, boost::json::object answer) {
        answer["token"] = step(id).token;
        const plan::Token* token = state.find_token(step(id).token);
        answer["visit"] = token == nullptr ? 1 : token->visit;
        return feed(plan::SignalReceived{++signals_, "task", std::move(answer)});
    }
    std::string pass_time(Duration time) {
        now += time;
        return feed(plan::TimerDue{});
    }

    Definition definition;
    embed::WorkflowPlan plan;
    plan::RunState state;
    std::vector<Event> log;
    Instant now{std::chrono::seconds(1'700'000'000)};

private:
    std::int64_t signals_ = 0;
};

}  // namespace pawl
