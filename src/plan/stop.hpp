#pragma once

#include "model/definition.hpp"
#include "model/events/wait.hpp"
#include "model/step_error.hpp"

#include <boost/json/array.hpp>

namespace pawl::plan {

// What is said of a withdrawn step that turned out not to have begun.
StepError not_begun();
// Whether a step that failed so may have had its effect.
bool may_have_taken_place(const StepError& error);
// Adds the child run that `wait` waits for to those that end with the step, if it is one of those.
void end_child(const Node& node, const events::Wait& wait, std::vector<std::string>& ends);

}  // namespace pawl::plan
