#pragma once

#include "base/ids.hpp"
#include "engine/core/core.hpp"
#include "steps/step_request.hpp"

#include <string>

namespace pawl::engine {

// What the log says about one attempt of a step.
struct StepLine {
    const StepOrder& order;
    const steps::StepOutcome& outcome;
    bool again = false;  // it failed and will be tried again
    double latency_ms = 0;
    WorkerId worker;
    std::int32_t seq = 0;  // of the event that tells it
    std::string correlation;
    std::string traceparent;  // empty: it is not traced
};

// Logs a failure as a warning, a success at the level debug.
void log_step(const StepLine& line);

}  // namespace pawl::engine
