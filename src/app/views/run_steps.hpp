#pragma once

#include "app/runs/folded_run.hpp"
#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "plan/places.hpp"

#include <vector>

namespace pawl::app {

// Each step of a run with its attempts, in the order of the definition. `worked_on`: a worker holds
// the run, so that a step that could go on does. Pure.
json::array steps_of(
    const Definition& definition,
    const plan::RunState& state,
    const std::vector<Event>& log,
    const std::vector<plan::EventPlace>& places,
    bool worked_on
);

// Of a run as it is now, with the names that its steps have now.
json::array steps_of(FoldedRun run);
// Of a run that has had one version.
json::array steps_of(const Definition& definition, const std::vector<Event>& log, bool worked_on);

}  // namespace pawl::app
