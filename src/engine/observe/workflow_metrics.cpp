#include "engine/observe/workflow_metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>

namespace pawl::engine {

namespace {

const char* outcome_name(StepEnd how) {
    switch (how) {
        case StepEnd::completed: return "completed";
        case StepEnd::failed: return "failed";
        case StepEnd::retried: return "retried";
        case StepEnd::postponed: return "postponed";
    }
    return "unknown";
}

}  // namespace

WorkflowMetrics::WorkflowMetrics(WorkflowFamilies families, std::string workflow)
    : families_(families),
      workflow_(std::move(workflow)),
      started_(families.started.Add({{"workflow", workflow_}})) {
    for (const auto status : {RunStatus::completed, RunStatus::failed, RunStatus::cancelled}) {
        closed_[static_cast<std::size_t>(status)] = &families_.closed.Add(
            {{"workflow", workflow_}, {"status", std::string(pawl::name(status))}}
        );
    }
}

void WorkflowMetrics::runs_started(std::size_t count) {
    if (count > 0) started_.Increment(static_cast<double>(count));
}

void WorkflowMetrics::run_closed(RunStatus status) {
    if (auto* closed = closed_[static_cast<std::size_t>(status)]) closed->Increment();
}

void WorkflowMetrics::step_ended(NodeType type, StepEnd how) {
    auto& place = steps_[static_cast<std::size_t>(type) * ends + static_cast<std::size_t>(how)];
    auto* counter = place.load(std::memory_order_acquire);
    if (counter == nullptr) {
        // Two threads that race here get the same counter.
        counter = &families_.steps.Add(
            {{"workflow", workflow_},
             {"type", std::string(pawl::name(type))},
             {"outcome", outcome_name(how)}}
        );
        place.store(counter, std::memory_order_release);
    }
    counter->Increment();
}

}  // namespace pawl::engine
