#pragma once

#include "engine/core/program.hpp"
#include "plan/open_waits.hpp"
#include "store/projection.hpp"

#include <vector>

namespace pawl::engine {

// What a commit must tell others beside the log, from what was decided: who begins to wait for what
// (the events), who does not wait any more (`before` against `after`), what was published, and that
// a child has closed. Adds to `out`; nothing for a run that only carries out steps.
void project(
    RunId run,
    const Program& program,
    const std::vector<plan::OpenWait>& before,
    const plan::RunState& after,
    const std::vector<Event>& events,
    store::Projections& out
);

// A run whose log was copied from another one and that has not been worked on yet: nobody has been
// told what it waits for.
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
