#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/step_error.hpp"
#include "plan/run_state.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pawl::plan {

// --- What can happen to a run
// ---------------------------------------------------------------------------------------

// The run was started or taken over: settle what needs no effect (a wait node fixes its instant).
struct Resumed {};
// An attempt ended. Ignored when the token has moved on meanwhile (late or duplicate results).
struct StepFinished {
    std::uint32_t token = 0;
    std::int16_t attempt = 1;
    boost::json::value result;  // when there is no error
    std::optional<StepError> error;
};
// Time passed: backoffs, waits and the run's deadline are looked at.
struct TimerDue {};
struct CancelRequested {
    std::string reason;
};
using Stimulus = std::variant<Resumed, StepFinished, TimerDue, CancelRequested>;

// The world as the planner may know it: given, never asked for.
struct Moment {
    Instant now{};        // database clock
    double random = 0.5;  // in [0, 1), for jitter
};

// --- What a run wants now
// --------------------------------------------------------------------------------------------

// Carry out the effect of a token's node.
struct ExecuteStep {
    std::uint32_t token = 0;
    NodeIndex node = 0;
    std::int16_t attempt = 1;
    std::uint32_t visit = 1;
};
struct Wants {
    std::vector<ExecuteStep> steps;  // tokens that are ready
    std::optional<Instant>
        wake_at;  // earliest backoff, wait or run deadline; TimerDue should come then
};

// Folds one event into the state. Total: an event that makes no sense for the state (only possible
// if the log was tampered with) changes nothing but next_seq.
void evolve(const Definition& definition, RunState& state, const Event& event);

RunState fold(const Definition& definition, const std::vector<Event>& log);

// Decides what a stimulus means for a run: the events to append, already folded into `state`. Pure,
// total, terminates on every input; a closed run answers with nothing. seq is set, `at` is set to
// moment.now.
std::vector<Event> decide(
    const Definition& definition, RunState& state, Stimulus stimulus, const Moment& moment
);

// What should be under way for a run in this state. Derived, so it survives any crash.
Wants wants(const RunState& state);

// Event 0 of a new run.
Event run_started(
    std::int32_t workflow,
    std::int32_t version,
    boost::json::value input,
    std::string subject,
    const Definition& definition
);

// The value a template root stands for in a run: "input", "steps" (by node id), "step_N_result",
// "step_N_error", then the keys of step results (newest first), then the keys of the input. Null
// when undefined.
const boost::json::value* lookup(
    const Definition& definition, const RunState& state, std::string_view root
);

// A node's config with its templates rendered for this run; the error is permanent, code
// "template".
boost::system::result<boost::json::value, StepError> render_config(
    const Definition& definition, const RunState& state, NodeIndex node
);

// Stable over attempts and workers: derived from run, token, node and visit, never from the
// attempt.
std::string idempotency_key(
    std::string_view run_id, const Definition& definition, const ExecuteStep& step
);

}  // namespace pawl::plan
