#include "embed/workflow_plan.hpp"

#include "steps/storable_text.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace pawl::embed {

namespace {

void check_storable(const boost::json::value& value, std::string_view what) {
    if (steps::is_storable(value)) return;
    throw std::invalid_argument(
        fmt::format("{} holds U+0000 or text that is not UTF-8, which cannot be stored", what)
    );
}

}  // namespace

Run run_view(const Definition& definition, const plan::RunState& state) {
    Run run;
    run.workflow = definition.name;
    run.version = definition.code;
    run.subject = state.subject;
    run.started_at = state.begun_at;
    run.input = &state.input;
    for (const plan::PlannedStep& planned : state.planned) {
        StepView step;
        step.id = planned.id;
        // A step that is over may be gone from the current version.
        if (planned.node < definition.nodes.size()) step.name = definition.nodes[planned.node].id;
        step.outcome = planned.handle;
        step.config = &planned.config;
        if (planned.record && *planned.record < state.records.size()) {
            const plan::StepRecord& record = state.records[*planned.record];
            step.result = &record.result;
            if (record.error) {
                step.error_code = record.error->code;
                step.error_message = record.error->message;
            }
        }
        run.steps.push_back(step);
    }
    return run;
}

plan::PlanAnswer WorkflowPlan::plan(const Definition& definition, const plan::RunState& state)
    const {
    const Plan plan = workflow_->plan(run_view(definition, state));
    plan::PlanAnswer answer;
    for (const PlannedStepDef& step : plan.steps()) {
        check_storable(step.config, step.id);
        answer.steps.push_back({step.id, step.name, step.config});
    }
    answer.finished = plan.finished();
    check_storable(plan.output(), "the output");
    answer.output = plan.output();
    if (plan.failed()) {
        answer.failure = StepError{
            ErrorClass::permanent, plan.failure_code(), plan.failure_message(), std::nullopt};
    }
    return answer;
}

}  // namespace pawl::embed
