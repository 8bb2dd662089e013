#pragma once

#include "engine/core/program.hpp"
#include "plan/planner.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::engine {

// A run to start.
struct StartRequest {
    ProgramPtr program;
    json::value input;
    std::string subject;
    std::string correlation;
    std::int16_t priority = 0;
    std::optional<Instant> due_at;
    std::string triggered_by = "api";
    std::string parent;  // the run that this one repeats, or that calls it
    std::optional<plan::Caller> caller;
    std::optional<store::EarlierChild> earlier;  // in whose place it is started
    std::string traceparent;  // of a sampled trace that it belongs to; empty: of none
    std::int64_t head = 0;    // NewRun::head
    // The process that starts it has no metrics: the first worker that claims it counts it.
    bool uncounted = false;
    bool gathered = false;  // its input is one that starts were gathered into: it runs alone
};

struct Started {
    RunId run;
    bool created = true;    // false: the correlation key had a run already, this is it
    bool outdated = false;  // nothing was done: the workflow is not as StartRequest::head knew it
    bool kept_out = false;  // nothing was done: the person does not meet enter_if
    std::optional<Error> refused = {};  // nothing was done; from Worker::start_each() only
};

// What is wrong with its names: too long for the database; empty: nothing.
std::string start_problem(const StartRequest& request);

// Whether a worker that takes up a run with this log counts it as started.
bool counts_as_started(const std::vector<Event>& log);

// What the store is given for it, event 0 included.
store::NewRun to_new_run(RunId id, StartRequest request);

}  // namespace pawl::engine
