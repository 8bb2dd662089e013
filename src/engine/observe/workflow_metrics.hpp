#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace prometheus {
class Counter;
template <class T>
class Family;
}  // namespace prometheus

namespace pawl::engine {

// postponed: it may not call its target now; its attempt was not used up.
enum class StepEnd { completed, failed, retried, postponed };

// The families that have a counter for each workflow.
struct WorkflowFamilies {
    prometheus::Family<prometheus::Counter>& started;
    prometheus::Family<prometheus::Counter>& closed;
    prometheus::Family<prometheus::Counter>& steps;
};

// What is counted for one workflow: without looking names up. Thread-safe.
class WorkflowMetrics {
public:
    WorkflowMetrics(WorkflowFamilies families, std::string workflow);

    void runs_started(std::size_t count);
    void run_closed(RunStatus status);
    void step_ended(NodeType type, StepEnd how);

private:
    static constexpr std::size_t ends = 4;

    WorkflowFamilies families_;
    std::string workflow_;
    prometheus::Counter& started_;
    std::array<prometheus::Counter*, 4> closed_{};  // by status
    // Made when a step of that type first ends so.
    std::array<std::atomic<prometheus::Counter*>, node_type_count * ends> steps_{};
};

}  // namespace pawl::engine
