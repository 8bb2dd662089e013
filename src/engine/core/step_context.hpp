#pragma once

#include "plan/planner.hpp"
#include "steps/step_request.hpp"

namespace pawl::engine {

// Adds what some types of step look at besides their config: a transform without an input gets all
// that templates can see, and a condition what its paths lead to.
void add_context(
    steps::StepRequest& request,
    const Definition& definition,
    const plan::RunState& state,
    plan::FrameId frame,
    plan::TokenId token
);

}  // namespace pawl::engine
