#pragma once

#include "engine/core/program.hpp"
#include "plan/open_waits.hpp"
#include "store/projection.hpp"

#include <vector>

namespace pawl::engine {

// What a commit writes beside the log: new waits (from the events), ended waits (`before` against
// `after`), published events, and that a child has closed. Adds to `out`; nothing for a run that
// only carries out steps.
void project(
    RunId run,
    const Program& program,
    const std::vector<plan::OpenWait>& before,
    const plan::RunState& after,
    const std::vector<Event>& events,
    store::Projections& out
);

// A run with a log copied from another one that no worker has worked on yet: what it waits for has
// not been projected.
bool is_copy(const std::vector<Event>& log);
void project_again(
    RunId run,
    const Program& program,
    const plan::RunState& state,
    const std::vector<Event>& log,
    store::Projections& out
);

void append(store::Projections& to, store::Projections&& from);

}  // namespace pawl::engine
