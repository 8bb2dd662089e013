#pragma once

#include "base/ids.hpp"
#include "base/trace_context.hpp"
#include "model/event.hpp"

#include <vector>

namespace pawl::engine {

// The stretch of a run's life that one trace shows, as far as its log tells.
struct TracePlace {
    TraceContext root;                    // its first `run` span
    std::optional<TraceContext> earlier;  // the trace before, if there is one
    std::optional<SpanId> parent;         // of the root: who started the run
    bool begins = false;                  // the run was just started, or came back after the cut
};

// What the log's first event says about the trace that the run was started in.
std::optional<TraceContext> origin_of(const boost::json::value& started);

// `now`: when the run is taken up with this log. A gap longer than `cut` while the run was idle
// begins a new trace.
TracePlace trace_place(RunId run, const std::vector<Event>& log, Duration cut, Instant now);

// The trace that each event of a log is in, by the same rule.
std::vector<TraceId> traces_of(RunId run, const std::vector<Event>& log, Duration cut);

// Whether a run is among the share of runs that are traced: the same answer for it everywhere.
bool is_sampled(RunId run, double share);

SpanId start_span(RunId run);
// Of something that these numbers identify within the run.
SpanId span_for(RunId run, std::uint64_t kind, std::uint64_t number);

}  // namespace pawl::engine
