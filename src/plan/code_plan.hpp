#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"
#include "plan/run_state.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

// One step that a plan wants in the run. Its id says which it is: a plan names the same steps again
// and again, and only those that the run does not know are new.
struct PlanStep {
    std::string id;
    std::string node;            // a node of the definition
    boost::json::object config;  // laid over the node's own; nothing in it is a template

    bool operator==(const PlanStep&) const = default;
};

// What a plan says. Nothing new while nothing is under way ends the run with the last result.
struct PlanAnswer {
    std::vector<PlanStep> steps;
    bool finished = false;
    boost::json::value output;
    std::optional<StepError> failure;
};

// The plan of a code workflow. Pure: the same state gives the same answer. What it throws holds the
// run.
class CodePlan {
public:
    virtual ~CodePlan() = default;
    virtual PlanAnswer plan(const Definition& definition, const RunState& state) const = 0;
};

// Why the engine pauses a run until an operator has looked at it: the data of run_paused.
struct Hold {
    std::string code;  // plan_differs, plan_failed, plan_invalid
    std::string reason;
    boost::json::object details;
};

// What a plan says that the run does not know yet; or what is wrong with it.
struct PlanNews {
    PlanAnswer answer;  // its steps are the new ones
    std::optional<Hold> hold;
};
PlanNews ask_plan(const Definition& definition, const RunState& state, const CodePlan& plan);

boost::json::array to_json(const std::vector<PlanStep>& steps);

// Asks the plan again for everything that the log says it asked for. A plan that gives another
// answer now was changed under the same version, or is not pure: to go on would be guessing.
std::optional<Hold> find_divergence(
    const Definition& definition, const CodePlan& plan, const std::vector<Event>& log
);

}  // namespace pawl::plan
