#include "engine/observe/tracer.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::engine {

Tracer::Tracer(TracerOptions options, Metrics& metrics) : options_(options), metrics_(metrics) {}

bool Tracer::samples(RunId run) const {
    if (options_.sample >= 1) return true;
    // The last bytes of a UUIDv7 are random.
    std::uint64_t chance = 0;
    for (std::size_t i = 9; i < 16; ++i) chance = chance << 8 | run.uuid.bytes[i];
    constexpr double all = static_cast<double>(std::uint64_t{1} << 56);
    return static_cast<double>(chance) < options_.sample * all;
}

void Tracer::record(Span span) {
    // The clock follows the database's and may be set back a little in between.
    if (span.end < span.begin) span.end = span.begin;
    {
        const std::lock_guard lock(mutex_);
        if (spans_.size() < options_.spans_max) {
            spans_.push_back(std::move(span));
            return;
        }
    }
    metrics_.spans(SpanFate::dropped, 1);
}

std::vector<Span> Tracer::take(std::size_t max) {
    const std::lock_guard lock(mutex_);
    const auto count = static_cast<std::ptrdiff_t>(std::min(max, spans_.size()));
    std::vector<Span> taken(
        std::make_move_iterator(spans_.begin()), std::make_move_iterator(spans_.begin() + count)
    );
    spans_.erase(spans_.begin(), spans_.begin() + count);
    return taken;
}

}  // namespace pawl::engine
