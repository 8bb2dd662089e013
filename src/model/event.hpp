#pragma once

#include "base/clock.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Numbers are stored in pawl.event.type: never reuse or renumber. The same list stands in sql
// (pawl.event_type_name), and a test compares the two.
enum class EventType : std::int16_t {
    // data: {workflow, version, input, subject?, timeout_ms?, correlation_id?, triggered_by?,
    // parent?, caller?, start_at?, priority?}, of a retry {retry_of, copied, first_run, anew_run?}
    // too, of a rerun {rerun_of, copied, owners: [{run, until}], released?}, of a child that stands
    // for one before {takes_over, first_run, anew_run?, branch_run}; start_at in microseconds since
    // 1970
    run_started = 0,
    step_completed = 1,  // data: the result
    // error; data: {retry_at} in microseconds since 1970 when it will be tried again, {maybe: true}
    // when it may have taken place
    step_failed = 2,
    // data: {until?, for?, ...}; until in microseconds since 1970, for: what is waited for when it
    // is
    // not time (event, signal, task, child, callback, lock)
    wait_started = 3,
    run_completed = 4,  // data: the output
    run_failed = 5,     // error
    run_cancelled = 6,  // data: {reason}
    // A node without an effect was passed, or a wait came to its end. data: {handle, value?,
    // cancelled?: [token], withdrawn?: [token], ends?: [child run]}
    node_passed = 7,
    routed = 8,  // which edges were taken after the node ended. data: {edges: [index]}
    joined = 9,  // data: {absorbed: [token], cancelled?: [token], withdrawn?, ends?}
    // A message came. data: {id, kind, ...}; kept until somebody wants it
    signal_received = 10,
    // data: {note: reminded | escalated | heartbeat | timed_out, assignee?, beat_by?, ends?}
    wait_noted = 11,
    run_paused = 12,  // data: {reason}; {code, ...} too when the engine holds the run
    run_resumed = 13,
    // What was done is undone before the run ends. data: {status, reason?, undo?: [record]}; error
    compensation_started = 14,
    items_listed = 15,  // of a foreach. data: {items}
    // By a person. data: {by, reason, value?, cancelled?, withdrawn?, ends?}; withdrawn has its own
    // token when its call is under way
    step_skipped = 16,
    // What the plan of a code workflow asked for. data: {steps: [{id, step, config}]}
    planned = 17,
    // From here on the run is one of another version. data: {version, from, map?: {old: new}, by?,
    // job?}; with `refused`, why it was not done
    run_repinned = 18,
    // A worker met it that does not know its version. data: {version, reason}
    run_held = 19,
    // Nothing new is begun; what is under way is waited for, then undone. data: {status, reason?,
    // output?, withdrawn: [token], ends?: [child run]}; error
    run_stopping = 20,
    // A retry tries the items of a foreach again that failed, or its scope. data: {items: [index]}
    items_reopened = 21,
};
inline constexpr int event_type_count = 22;

std::string_view name(EventType type);

// An appended fact of a run. (run, seq) is written once.
struct Event {
    std::int32_t seq = 0;
    EventType type = EventType::run_started;
    std::int16_t attempt = 0;  // of the step; 0 for events that are not about a step
    std::string node;          // empty for events that are not about a step
    boost::json::value data;   // null when there is nothing to say
    boost::json::value error;  // null, or a StepError as JSON
    Instant at{};              // database clock; set by the store
    std::uint32_t token = 0;   // which branch of the run it is about
};

// How a run ended. Stored in pawl.run.status.
enum class RunStatus : std::int16_t { running = 0, completed = 1, failed = 2, cancelled = 3 };

std::string_view name(RunStatus status);
inline bool is_terminal(RunStatus status) {
    return status != RunStatus::running;
}

}  // namespace pawl
