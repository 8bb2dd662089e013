#pragma once

#include "base/ids.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <string>

// Short ways to make what tests need over and over.
namespace pawl::test {

// Time-ordered and unique over processes.
RunId new_run_id();
WorkerId new_worker_id();

// A line of `steps` code steps named step_1, step_2, ...
Definition line(const std::string& name, int steps = 1);

// A run of that workflow's first version, with a plausible event 0.
store::NewRun new_run(store::WorkflowId workflow);

Event step_completed(std::int32_t seq, const std::string& node = "step_1");
Event run_completed(std::int32_t seq);

}  // namespace pawl::test
