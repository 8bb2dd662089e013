#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "model/event.hpp"

#include <string>
#include <vector>

namespace pawl::engine {

// Where people look at traces of runs.
struct TraceLinks {
    std::string url;  // with {trace_id}, and perhaps {run_id}, in it; empty: nowhere
    // As the workers have them.
    double sample = 0.01;
    Duration cut = std::chrono::minutes(1);

    // For each event of a log, where the trace is that shows it: what ends a wait is shown where
    // the wait began. Empty: it is in none, or in that of another run.
    std::vector<std::string> of(RunId run, const std::vector<Event>& log) const;
};

}  // namespace pawl::engine
