#include "engine/observe/circuit_metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>

namespace pawl::engine {

namespace {

constexpr std::size_t targets_max = 100;
const std::string others = "(others)";

}  // namespace

const std::string& CircuitMetrics::label_of(const std::string& target) {
    if (const auto known = labels_.find(target); known != labels_.end()) return *known;
    if (labels_.size() < targets_max) return *labels_.insert(target).first;
    return *labels_.insert(others).first;
}

void CircuitMetrics::saw(const void* worker, const std::vector<steps::CircuitView>& circuits) {
    const std::lock_guard lock(mutex_);
    auto& seen = seen_[worker];
    std::map<std::string, steps::CircuitView> now;
    for (const steps::CircuitView& circuit : circuits) {
        const auto before = seen.find(circuit.target);
        std::int64_t more = circuit.opened;
        // One that was forgotten and is there again counts from nothing.
        if (before != seen.end() && before->second.opened <= circuit.opened) {
            more -= before->second.opened;
        }
        opened_.Add({{"target", label_of(circuit.target)}}).Increment(static_cast<double>(more));
        now.emplace(circuit.target, circuit);
    }
    seen = std::move(now);
    std::map<std::string, int> open;
    for (const std::string& label : labels_) open[label] = 0;
    for (const auto& [who, what] : seen_) {
        for (const auto& [target, circuit] : what) {
            if (circuit.open) ++open[label_of(target)];
        }
    }
    for (const auto& [label, count] : open) open_.Add({{"target", label}}).Set(count);
}

}  // namespace pawl::engine
