#pragma once

#include "app/runs/folded_run.hpp"
#include "base/json.hpp"
#include "engine/observe/trace_links.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "plan/places.hpp"

#include <vector>

namespace pawl::app {

// Each step of a run with its attempts, in the order of the definition, with the names that the
// steps have now, and where their traces are. Pure.
json::array steps_of(FoldedRun run, const engine::TraceLinks& links = {});
// The same of a run that has had one version. `worked_on`: a worker holds the run, so that a step
// that could go on does.
json::array steps_of(const Definition& definition, const std::vector<Event>& log, bool worked_on);

}  // namespace pawl::app
