#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "engine/observe/workflow_metrics.hpp"
#include "model/definition.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::steps {
struct CircuitView;
}

namespace pawl::engine {

enum class SpanFate { exported, dropped };

// What the engine counts, in Prometheus's text format. Thread-safe; shared by all workers of a
// process. docs/metrics.md has every name; a test compares the two.
class Metrics {
public:
    explicit Metrics(std::string version = "dev");
    ~Metrics();

    // The counters of one workflow, for as long as this lives. There are so many names at most;
    // what comes later counts as "(others)".
    WorkflowMetrics& of(const std::string& workflow);

    void step_took(NodeType type, Steady::duration took);
    // A step failed and is tried again that much later.
    void retry_in(Duration delay);
    void committed(std::size_t events, Steady::duration took);
    void resent();
    void claimed(std::size_t runs, Steady::duration took);
    void swept(std::size_t workers, std::size_t runs);
    // What one worker of the process holds.
    void holding(const void* worker, std::size_t runs, std::size_t executing);
    // Slots of schedules: those that started a run, those skipped because a run was open, those
    // that no scheduler handled in time.
    void slots(std::int64_t fired, std::int64_t skipped, std::int64_t missed);
    void slot_late(Duration by);
    // A task of the database's queue: completed, failed, retried.
    void task_ended(const std::string& type, const std::string& outcome);
    // What one worker knows of the targets that steps call.
    void circuits(const void* worker, const std::vector<steps::CircuitView>& seen);
    // Messages of the outbox, by kind of target: published, retried, failed.
    void delivered(const std::string& kind, const std::string& outcome, std::size_t count);
    // A call of a provider, by connector: taken, bad_signature, unreadable, unknown_endpoint,
    // too_large.
    void hook_called(const std::string& connector, const std::string& outcome);
    void http_answered(int status, Steady::duration took);
    void spans(SpanFate fate, std::size_t count);
    // A service in the background was begun again; 0 shows it.
    void service_restarted(const std::string& service, std::size_t times);
    // What the database was found to hold: store::Figures.
    void figures(const json::value& taken);

    std::string text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::engine
