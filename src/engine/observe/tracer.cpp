#include "engine/observe/tracer.hpp"

#include "engine/observe/trace_ids.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::engine {

Tracer::Tracer(TracerOptions options, Metrics& metrics) : options_(options), metrics_(metrics) {}

bool Tracer::samples(RunId run) const {
    return is_sampled(run, options_.sample);
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
