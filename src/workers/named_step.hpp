#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"

#include <string>

namespace pawl::workers {

// A step of a worker is a function over the connectors. What they throw (a database that is away)
// is tried again.
using StepFunction = StepResult (*)(const Connectors& connectors, const ExecutionContext& context);

void add_step(
    Registry& registry, const Connectors& connectors, std::string name, StepFunction function
);

// Of any worker: sends what the input says, {to, subject, body}.
StepResult send_mail(const Connectors& connectors, const ExecutionContext& context);

StepResult permanent(std::string code, std::string message);
// What was found, which must have an email address; `name` says what it is.
StepResult with_address(json::object found, const std::string& name);

// What the step did to the contact of its input, for the CRM.
Activity activity_of(const ExecutionContext& context, std::string kind);

// `spent` of a step's input.
Spent spent_of(const json::value& input);
// What was written before and why it was not good enough, when that is in the input.
void add_feedback(ChatRequest& request, const json::value& input);

}  // namespace pawl::workers
