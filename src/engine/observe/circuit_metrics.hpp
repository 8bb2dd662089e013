#pragma once

#include "steps/call_targets.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
template <class T>
class Family;
}  // namespace prometheus

namespace pawl::engine {

// Circuits of all workers of a process, by target. Thread-safe. There are so many targets at most;
// what comes later counts as "(others)".
class CircuitMetrics {
public:
    CircuitMetrics(
        prometheus::Family<prometheus::Gauge>& open, prometheus::Family<prometheus::Counter>& opened
    )
        : open_(open), opened_(opened) {}

    // What one worker knows of those that were ever open.
    void saw(const void* worker, const std::vector<steps::CircuitView>& circuits);

private:
    const std::string& label_of(const std::string& target);

    prometheus::Family<prometheus::Gauge>& open_;
    prometheus::Family<prometheus::Counter>& opened_;
    std::mutex mutex_;
    std::set<std::string> labels_;
    std::map<const void*, std::map<std::string, steps::CircuitView>> seen_;
};

}  // namespace pawl::engine
