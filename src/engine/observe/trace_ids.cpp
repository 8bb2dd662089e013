#include "engine/observe/trace_ids.hpp"

#include "model/events/whole_run_events.hpp"

namespace pawl::engine {

namespace {

enum Purpose : std::uint64_t { of_start = 1, of_root = 2, of_trace = 3 };

// splitmix64's finisher: every bit of the input moves about half of the output.
std::uint64_t mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

std::uint64_t half(RunId run, std::size_t from) {
    std::uint64_t value = 0;
    for (std::size_t i = from; i < from + 8; ++i) value = value << 8 | run.uuid.bytes[i];
    return value;
}

std::uint64_t hash(RunId run, std::uint64_t kind, std::uint64_t number) {
    return mix(mix(mix(half(run, 0)) ^ half(run, 8)) ^ mix(kind * 0x100000001b3 + number));
}

void write(std::uint64_t value, std::uint8_t* bytes) {
    for (int i = 7; i >= 0; --i, value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

TraceId trace_for(RunId run, std::uint64_t epoch) {
    TraceId id{};
    write(hash(run, of_trace, 2 * epoch), id.data());
    write(hash(run, of_trace, 2 * epoch + 1), id.data() + 8);
    return id;
}

// While it waits or backs off no worker works on it.
bool is_idle_after(const Event& event) {
    return event.type == EventType::wait_started || event.type == EventType::step_failed;
}

}  // namespace

SpanId span_for(RunId run, std::uint64_t kind, std::uint64_t number) {
    SpanId id{};
    write(hash(run, kind, number) | 1, id.data());  // all zeros would be no id
    return id;
}

SpanId start_span(RunId run) {
    return span_for(run, of_start, 0);
}

std::optional<TraceContext> origin_of(const json::value& started) {
    return parse_traceparent(events::read_one(started, &events::RunStarted::traceparent));
}

TracePlace trace_place(RunId run, const std::vector<Event>& log, Duration cut, Instant now) {
    const auto origin = origin_of(log.front().data);
    std::uint64_t epoch = 0;
    std::uint64_t before = 0;
    TracePlace place;
    place.begins = log.size() == 1;
    for (std::size_t i = 1; i < log.size(); ++i) {
        const bool last = i + 1 == log.size();
        const Instant next = last ? now : log[i + 1].at;
        if (!is_idle_after(log[i]) || next - log[i].at <= cut) continue;
        before = epoch;
        epoch = i;
        place.begins = last;
    }
    // A run without a trace from outside uses its own id as trace id: each leads to the other.
    const TraceId first = origin ? origin->trace : run.uuid.bytes;
    const auto trace = [&](std::uint64_t of) { return of == 0 ? first : trace_for(run, of); };
    place.root = {trace(epoch), span_for(run, of_root, epoch), true};
    if (epoch == 0) {
        place.parent = start_span(run);
    } else {
        place.earlier = TraceContext{trace(before), span_for(run, of_root, before), true};
    }
    return place;
}

std::vector<TraceId> traces_of(RunId run, const std::vector<Event>& log, Duration cut) {
    const auto origin = origin_of(log.front().data);
    std::vector<TraceId> traces{origin ? origin->trace : run.uuid.bytes};
    for (std::size_t i = 1; i < log.size(); ++i) {
        const Event& before = log[i - 1];
        const bool cut_here = i > 1 && is_idle_after(before) && log[i].at - before.at > cut;
        traces.push_back(cut_here ? trace_for(run, i - 1) : traces.back());
    }
    return traces;
}

bool is_sampled(RunId run, double share) {
    if (share >= 1) return true;
    // The last bytes of a UUIDv7 are random.
    std::uint64_t chance = 0;
    for (std::size_t i = 9; i < 16; ++i) chance = chance << 8 | run.uuid.bytes[i];
    constexpr double all = static_cast<double>(std::uint64_t{1} << 56);
    return static_cast<double>(chance) < share * all;
}

}  // namespace pawl::engine
