#pragma once

#include "base/clock.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "store/store.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace pawl::engine {

// What the engine counts, in Prometheus's text format. Thread-safe; shared by all workers of a
// process.
class Metrics {
public:
    Metrics();
    ~Metrics();

    void runs_started(std::size_t count);
    void run_closed(RunStatus status);
    void step_completed(NodeType type);
    void step_failed(NodeType type, bool will_retry);
    // It may not call its target now; its attempt was not used up.
    void step_postponed(NodeType type);
    void committed(std::size_t events, Steady::duration took);
    void resent();
    void claimed(std::size_t runs, Steady::duration took);
    void swept(std::size_t workers, std::size_t runs);
    void holding(std::size_t runs, std::size_t executing);
    void health(const store::Health& health);
    // Slots of schedules: those that started a run, those left out because one was open, those that
    // nobody looked at in time.
    void slots(std::int64_t fired, std::int64_t skipped, std::int64_t missed);
    void slot_late(Duration by);

    std::string text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::engine
