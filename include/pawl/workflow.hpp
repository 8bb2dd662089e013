#pragma once

// Workflows in C++: which steps there are, and a pure function that says which come next.

#include "pawl/run.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A step that a workflow may ask for. It becomes a node of the workflow's definition, as shown by
// `pawl workflows show` and the API.
struct StepDef {
    std::string name;
    // The type: "code" runs the Step that is registered as `runs` (empty: under this name); also
    // wait, human, call, emit, http, function, sql, transform, lock, unlock, as in graphs.
    std::string type = "code";
    std::string runs;
    boost::json::object config;  // the plan's config is merged over this
    int attempts = 5;            // backoff: 1 s, doubled each time, with jitter, an hour at most
    std::optional<std::chrono::milliseconds> timeout;  // of one attempt
    // false: the run fails with the step. true: the plan continues and sees outcome "error".
    bool may_fail = false;
};

// One step that a plan asks for.
struct PlannedStepDef {
    std::string id;    // unique in this run; the same id is never started twice
    std::string name;  // a StepDef of the workflow
    boost::json::object config;
};

// The answer of plan(). It may name steps that the run already has: only new ones are started. If
// nothing is new and nothing is under way, the run ends with the last result.
class Plan {
public:
    // Asks for a step and returns its outcome: null while it is new or under way. `key`
    // distinguishes several steps of one name; the id is then name#key.
    const StepView* step(
        const Run& run,
        std::string_view name,
        boost::json::object config = {},
        std::string_view key = {}
    );
    // The same for a step of type code: the config is {input: ...}.
    const StepView* run_step(
        const Run& run, std::string_view name, boost::json::value input, std::string_view key = {}
    );
    // Ends the run now; steps under way are withdrawn.
    void finish(boost::json::value output);
    // Fails the run now.
    void fail(std::string code, std::string message);

    const std::vector<PlannedStepDef>& steps() const { return steps_; }
    bool finished() const { return finished_; }
    const boost::json::value& output() const { return output_; }
    bool failed() const { return !failure_code_.empty(); }
    const std::string& failure_code() const { return failure_code_; }
    const std::string& failure_message() const { return failure_message_; }

private:
    std::vector<PlannedStepDef> steps_;
    bool finished_ = false;
    boost::json::value output_;
    std::string failure_code_;
    std::string failure_message_;
};

// A workflow in C++. One object serves all runs and all threads at once: it has no state.
//
// plan() is pure: the same run gives the same plan, today and after a crash. It reads no clock, no
// file, no random number, no variable that changes; use a step to look something up. Whenever an
// engine takes over a run, it calls plan() again for everything in the log. If the answers differ,
// the engine pauses the run: event run_paused with code plan_differs. The run does not fail; `pawl
// runs resume` continues it once the plan is right. An exception from plan() pauses the run too
// (plan_failed).
//
// A change of plan() is a new version. Keep the old one registered until its runs have ended.
class Workflow {
public:
    virtual ~Workflow() = default;

    virtual std::string id() const = 0;       // the workflow's name: "csr"
    virtual std::string version() const = 0;  // "1.0.0"
    virtual std::vector<StepDef> steps() const = 0;
    virtual Plan plan(const Run& run) const = 0;

    virtual std::string description() const { return {}; }
    virtual std::vector<std::string> required_fields() const { return {}; }  // of the input
    // A JSON Schema that the input must fit; null: none.
    virtual boost::json::value input_schema() const { return nullptr; }
};

}  // namespace pawl
