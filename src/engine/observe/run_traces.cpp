#include "engine/observe/run_traces.hpp"

#include "engine/observe/trace_ids.hpp"

namespace pawl::engine {

namespace {

enum Purpose : std::uint64_t { of_stretch = 16, of_step = 17, of_commit = 18, of_wait = 19 };

SpanId step_span(const StepOrder& order) {
    const plan::ExecuteStep& step = order.step;
    std::uint64_t number = step.node;
    number = number << 20 | (step.token & 0xfffff);
    number = number << 16 | (step.visit & 0xffff);
    number = number << 8 | (static_cast<std::uint64_t>(step.attempt) & 0xff);
    return span_for(order.run, of_step, number);
}

SpanKind kind_of(NodeType type) {
    const bool calls = type == NodeType::http || type == NodeType::function;
    return calls ? SpanKind::client : SpanKind::internal;
}

}  // namespace

RunTraces::RunTraces(Tracer& tracer, std::string worker)
    : tracer_(tracer), worker_(std::move(worker)) {}

Span RunTraces::span_of(RunId run, const Followed& followed, std::string name) const {
    Span span;
    span.context = followed.context;
    span.name = std::move(name);
    span.with("pawl.run.id", to_string(run));
    span.with("pawl.workflow.name", followed.workflow);
    span.with("pawl.workflow.version", std::int64_t{followed.version});
    span.with("pawl.tenant", std::int64_t{followed.tenant});
    span.with("pawl.worker.id", worker_);
    return span;
}

void RunTraces::started(
    RunId run, const Program& program, const json::value& data, Instant asked, Instant now
) {
    const auto origin = origin_of(data);
    if (!origin && !tracer_.samples(run)) return;
    Followed about;
    about.workflow = program.definition.name;
    about.version = program.version;
    about.tenant = program.tenant;
    Span span = span_of(run, about, "start " + about.workflow);
    span.context = {origin ? origin->trace : run.uuid.bytes, start_span(run), true};
    if (origin) span.parent = origin->span;
    span.kind = SpanKind::producer;
    span.begin = asked;
    span.end = now;
    tracer_.record(std::move(span));
}

void RunTraces::held(
    RunId run, const Program& program, const std::vector<Event>& log, Instant now
) {
    if (log.empty() || (!origin_of(log.front().data) && !tracer_.samples(run))) return;
    if (const auto known = runs_.find(run); known != runs_.end()) {
        ++known->second.times;
        return;
    }
    const TracePlace place = trace_place(run, log, tracer_.options().cut, now);
    Followed followed;
    followed.context = place.root;
    followed.parent = place.parent;
    followed.workflow = program.definition.name;
    followed.version = program.version;
    followed.tenant = program.tenant;
    followed.since = now;
    if (place.earlier && place.begins) followed.links.push_back(*place.earlier);
    if (!place.begins) {
        followed.context.span = span_for(run, of_stretch, log.size());
        followed.parent = place.root.span;
    }
    const Event& last = log.back();
    if (last.type == EventType::wait_started || last.type == EventType::step_failed) {
        const bool waited = last.type == EventType::wait_started;
        Span span = span_of(run, followed, (waited ? "wait " : "backoff ") + last.node);
        // It belongs to what came before it, also when that was long ago: as a leaf it keeps no
        // trace open.
        const TraceContext& where = place.begins && place.earlier ? *place.earlier : place.root;
        span.context = {where.trace, span_for(run, of_wait, log.size()), true};
        span.parent = where.span;
        span.begin = last.at;
        span.end = now;
        span.with("pawl.step.name", last.node);
        tracer_.record(std::move(span));
    }
    runs_.emplace(run, std::move(followed));
}

std::string RunTraces::header_for(const StepOrder& order) const {
    const auto place = runs_.find(order.run);
    if (place == runs_.end()) return {};
    return to_traceparent({place->second.context.trace, step_span(order), true});
}

void RunTraces::step_ended(
    const StepOrder& order, const steps::StepOutcome& outcome, Steady::time_point begun, Instant now
) {
    const auto place = runs_.find(order.run);
    if (place == runs_.end()) return;
    const Node& node = order.program->definition.nodes[order.step.node];
    Span span = span_of(order.run, place->second, "step " + node.id);
    span.parent = span.context.span;
    span.context.span = step_span(order);
    span.kind = kind_of(node.type);
    span.begin = now - std::chrono::duration_cast<Duration>(Steady::now() - begun);
    span.end = now;
    span.with("pawl.step.name", node.id);
    span.with("pawl.step.type", std::string(name(node.type)));
    span.with("pawl.step.attempt", std::int64_t{order.step.attempt});
    if (outcome.error) {
        span.with("error.type", outcome.error->code);
        span.error = outcome.error->message;
    }
    tracer_.record(std::move(span));
}

void RunTraces::committed(const Flight& flight, Instant sent, Instant now) {
    if (runs_.empty()) return;
    for (const RunId run : flight.runs) {
        const auto place = runs_.find(run);
        if (place == runs_.end()) continue;
        const auto mark = static_cast<std::uint64_t>(now.time_since_epoch().count());
        Span span = span_of(run, place->second, "commit");
        span.parent = span.context.span;
        span.context.span = span_for(run, of_commit, mark);
        span.begin = sent;
        span.end = now;
        span.with("pawl.commit.events", static_cast<std::int64_t>(flight.batch.events.size()));
        span.with("pawl.commit.runs", static_cast<std::int64_t>(flight.runs.size()));
        tracer_.record(std::move(span));
    }
    for (const store::Park& park : flight.batch.parks) leave(park.run, "waiting", now);
    for (const store::Close& close : flight.batch.closes) leave(close.run, name(close.status), now);
}

void RunTraces::leave(RunId run, std::string_view how, Instant now) {
    const auto place = runs_.find(run);
    if (place == runs_.end()) return;
    const Followed& followed = place->second;
    Span span = span_of(run, followed, "run " + followed.workflow);
    span.parent = followed.parent;
    span.links = followed.links;
    span.begin = followed.since;
    span.end = now;
    span.with("pawl.run.status", std::string(how));
    if (how == "failed") span.error = "the run failed";
    tracer_.record(std::move(span));
    if (--place->second.times == 0) runs_.erase(place);
}

}  // namespace pawl::engine
