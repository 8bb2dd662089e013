#include "engine/worker/worker_impl.hpp"
#include "model/events/whole_run_events.hpp"

#include <fmt/core.h>

#include <algorithm>

// Runs that this worker has claimed and cannot carry on.
namespace pawl::engine {

namespace {

constexpr Duration leave_min = std::chrono::milliseconds(100);
constexpr Duration leave_max = std::chrono::minutes(1);
constexpr std::size_t left_max = 10'000;  // remembered
// So often a run comes back before its log says that it waits: about three seconds.
constexpr int noted_after = 6;
constexpr Duration hold_min = std::chrono::seconds(5);
constexpr Duration hold_max = std::chrono::minutes(5);

}  // namespace

// Because its version is not known here (perhaps it was written by a newer release, perhaps it is
// in other processes), or its log cannot be read: that is noted in its log, once, and it is let be.
// It is looked at again after as long as it has been held, so that many of them cost little.
asio::awaitable<void> Worker::Impl::hold(
    SessionPtr begun, RunId run, std::vector<Event> log, std::int32_t version, std::string why
) {
    store::CommitBatch batch;
    batch.bucket = options.bucket;
    batch.worker = begun->id;
    batch.put_off = true;
    Instant since = now();
    const Event& last = log.back();
    if (last.type == EventType::run_held &&
        events::read<events::RunHeld>(last).version == std::int64_t{version}) {
        since = last.at;
    } else {
        Event event;
        event.seq = last.seq + 1;
        event.type = EventType::run_held;
        event.data = events::write(events::RunHeld{version, why});
        event.at = since;
        batch.events.push_back({run, std::move(event)});
        log::error(
            "a run is held",
            {log::field("run", to_string(run)),
             log::field("version", version),
             log::field("reason", why)}
        );
    }
    batch.parks.push_back({run, now() + std::clamp(now() - since, hold_min, hold_max)});
    co_await store.commit_runs(batch);
}

namespace {

// Perhaps no program has its version: the run's log and its subscribers must show that.
Event unregistered(const ForeignRun& run, Instant now) {
    const Definition& definition = run.program->definition;
    Event event;
    event.seq = run.last_seq + 1;
    event.type = EventType::run_held;
    event.at = now;
    const std::string why = fmt::format(
        "no program that has met it has version {} of the C++ workflow '{}'",
        definition.code,
        definition.name
    );
    event.data = events::write(events::RunHeld{run.program->version, why});
    return event;
}

}  // namespace

// Runs of workflows that another program has: left to it. The more often one comes back, the longer
// it is let be, so that it comes to its program soon and costs little when there is none. One that
// comes back again and again without an event in between is noted in its log, once.
asio::awaitable<void> Worker::Impl::leave_to_others(
    SessionPtr begun, std::vector<ForeignRun> runs
) {
    store::CommitBatch batch;
    batch.bucket = options.bucket;
    batch.worker = begun->id;
    batch.put_off = true;
    if (left.size() > left_max) left.clear();
    for (const ForeignRun& foreign : runs) {
        LeftRun& one = left[foreign.run];
        if (now() - one.last > 2 * leave_max || one.seq != foreign.last_seq) one.times = 0;
        one.last = now();
        one.seq = foreign.last_seq;
        const Duration wait = std::min(leave_min * (1 << std::min(one.times++, 10)), leave_max);
        const bool in_code = !foreign.program->definition.code.empty();
        if (one.times == noted_after && in_code && !foreign.held) {
            batch.events.push_back({foreign.run, unregistered(foreign, now())});
            ++one.seq;
        }
        if (wait == leave_max) {
            log::warn(
                "a run waits for a program that has its workflow; this one has not",
                {log::field("run", to_string(foreign.run))}
            );
        }
        batch.parks.push_back({foreign.run, now() + wait});
    }
    co_await store.commit_runs(batch);
    if (owner.on_ready_elsewhere) owner.on_ready_elsewhere();
}

}  // namespace pawl::engine
