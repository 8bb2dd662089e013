#pragma once

#include "base/clock.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Numbers are stored in pawl.event.type: never reuse or renumber. The same list stands in sql
// (pawl.event_type_name), and a test compares the two. What the data of each says: model/events.
enum class EventType : std::int16_t {
    run_started = 0,
    step_completed = 1,
    step_failed = 2,
    wait_started = 3,
    run_completed = 4,
    run_failed = 5,
    run_cancelled = 6,
    node_passed = 7,
    routed = 8,
    joined = 9,
    signal_received = 10,
    wait_noted = 11,
    run_paused = 12,
    run_resumed = 13,
    compensation_started = 14,
    items_listed = 15,
    step_skipped = 16,
    planned = 17,
    run_repinned = 18,
    run_held = 19,
    run_stopping = 20,
    items_reopened = 21,
    step_advanced = 22,
};
inline constexpr int event_type_count = 23;

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
