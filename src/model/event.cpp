#include "model/event.hpp"

namespace pawl {

std::string_view name(EventType type) {
    switch (type) {
        case EventType::run_started: return "run_started";
        case EventType::step_completed: return "step_completed";
        case EventType::step_failed: return "step_failed";
        case EventType::wait_started: return "wait_started";
        case EventType::run_completed: return "run_completed";
        case EventType::run_failed: return "run_failed";
        case EventType::run_cancelled: return "run_cancelled";
        case EventType::node_passed: return "node_passed";
        case EventType::routed: return "routed";
        case EventType::joined: return "joined";
        case EventType::signal_received: return "signal_received";
        case EventType::wait_noted: return "wait_noted";
        case EventType::run_paused: return "run_paused";
        case EventType::run_resumed: return "run_resumed";
        case EventType::compensation_started: return "compensation_started";
        case EventType::items_listed: return "items_listed";
        case EventType::step_skipped: return "step_skipped";
        case EventType::planned: return "planned";
        case EventType::run_repinned: return "run_repinned";
        case EventType::run_held: return "run_held";
        case EventType::run_stopping: return "run_stopping";
        case EventType::items_reopened: return "items_reopened";
        case EventType::step_advanced: return "step_advanced";
    }
    return "unknown";
}

std::string_view name(RunStatus status) {
    switch (status) {
        case RunStatus::running: return "running";
        case RunStatus::completed: return "completed";
        case RunStatus::failed: return "failed";
        case RunStatus::cancelled: return "cancelled";
    }
    return "unknown";
}

}  // namespace pawl
