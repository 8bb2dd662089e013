#pragma once

#include "base/ids.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/observe/span.hpp"

#include <deque>
#include <mutex>
#include <vector>

namespace pawl::engine {

struct TracerOptions {
    double sample = 0.01;  // share of runs; those that come with a sampled trace are followed too
    // A run that was idle for longer goes on in a trace of its own, with a link to the one before.
    Duration cut = std::chrono::minutes(1);
    std::size_t spans_max = 8192;  // that wait to be sent; what comes then is dropped and counted
};

// Gathers spans for the exporter. Never blocks. Thread-safe; the metrics outlive it.
class Tracer {
public:
    Tracer(TracerOptions options, Metrics& metrics);

    // The same answer for a run everywhere and always.
    bool samples(RunId run) const;
    void record(Span span);
    std::vector<Span> take(std::size_t max);
    const TracerOptions& options() const { return options_; }

private:
    TracerOptions options_;
    Metrics& metrics_;
    std::mutex mutex_;
    std::deque<Span> spans_;
};

}  // namespace pawl::engine
