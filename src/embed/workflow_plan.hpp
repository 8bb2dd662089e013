#pragma once

#include "pawl/workflow.hpp"
#include "plan/code_plan.hpp"

#include <memory>

namespace pawl::embed {

// A workflow of users as the planner asks it.
class WorkflowPlan : public plan::CodePlan {
public:
    explicit WorkflowPlan(std::shared_ptr<const Workflow> workflow)
        : workflow_(std::move(workflow)) {}

    plan::PlanAnswer plan(const Definition& definition, const plan::RunState& state) const override;

private:
    std::shared_ptr<const Workflow> workflow_;
};

// What a plan is shown of a run; borrows both.
Run run_view(const Definition& definition, const plan::RunState& state);

}  // namespace pawl::embed
