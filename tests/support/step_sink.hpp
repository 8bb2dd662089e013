#pragma once

#include "base/clock.hpp"
#include "model/definition.hpp"
#include "support/database.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pawl::test {

// What `function` steps call: an HTTP server on a thread of its own that remembers the idempotency
// key of every request and answers success after a delay. It keeps all requests waiting at once.
class StepSink {
public:
    explicit StepSink(Duration delay = Duration::zero());
    ~StepSink();
    StepSink(const StepSink&) = delete;
    StepSink& operator=(const StepSink&) = delete;

    std::string url() const;
    // How often each key was seen; a request counts when it has arrived.
    std::map<std::string, int> seen() const;
    std::size_t requests() const;
    // From when to when each request was under way.
    struct Visit {
        std::string key;
        Steady::time_point from;
        Steady::time_point to;
    };
    std::vector<Visit> visits() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A line of steps that call the sink, tried again for longer than a test waits.
Definition effects(int steps);

// Runs whose log is not exactly run_started, the steps in their order once each, run_completed,
// with no gap. Failed attempts may stand between.
std::vector<std::string> torn_logs(Session& session, int steps);

}  // namespace pawl::test
