#pragma once

#include "engine/core/core.hpp"
#include "engine/observe/tracer.hpp"
#include "steps/step_request.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace pawl::engine {

// Follows the runs of one worker that are sampled, and makes spans of what happens to them:
//
//     start -> run -> step (one for each attempt), commit, wait
//
// Ids are worked out from the run and its log, so that workers which hold a run one after the other
// need not tell each other. A run that was idle for longer than the tracer's cut goes on in a new
// trace, whose `run` has a link to the one before. One thread.
class RunTraces {
public:
    RunTraces(Tracer& tracer, std::string worker);

    // A run was started, durable now.
    void started(
        RunId run, const Program& program, const json::value& data, Instant asked, Instant now
    );
    // A run is held from now on. Its log has one event at least.
    void held(RunId run, const Program& program, const std::vector<Event>& log, Instant now);
    // The traceparent that a step sends; empty for runs that are not traced.
    std::string header_for(const StepOrder& order) const;
    void step_ended(
        const StepOrder& order,
        const steps::StepOutcome& outcome,
        Steady::time_point begun,
        Instant now
    );
    // A commit is through; what it closes or parks is not held any more.
    void committed(const Flight& flight, Instant sent, Instant now);
    // Everything was dropped.
    void forget_all() { runs_.clear(); }

private:
    struct Followed {
        TraceContext context;  // of its `run` span
        std::optional<SpanId> parent;
        std::vector<TraceContext> links;
        std::string workflow;
        std::int32_t version = 1;
        std::int32_t tenant = 1;
        Instant since{};
        int times = 1;  // held again before it was known to be left
    };
    void leave(RunId run, std::string_view how, Instant now);
    Span span_of(RunId run, const Followed& followed, std::string name) const;

    Tracer& tracer_;
    std::string worker_;
    std::unordered_map<RunId, Followed> runs_;
};

}  // namespace pawl::engine
