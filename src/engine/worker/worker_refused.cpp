#include "engine/core/flight_parts.hpp"
#include "engine/core/project.hpp"
#include "engine/worker/worker_impl.hpp"
#include "model/events/signal_kind.hpp"
#include "plan/repin.hpp"

#include <algorithm>
#include <limits>

// What becomes of a commit that the database refuses. One run never stops the others: the batch is
// sent in halves until the run that is the cause stands alone.
namespace pawl::engine {

namespace {

// How often the same batch is tried before it is tried in halves.
constexpr int tries_whole = 4;
// How often a run whose log another worker has written is read anew before it is set aside.
constexpr int reloads_max = 2;
constexpr Duration aside_min = std::chrono::seconds(5);
constexpr Duration aside_max = std::chrono::minutes(5);

std::vector<plan::Pin> pins_of(const RunVersions& versions) {
    std::vector<plan::Pin> pins;
    for (const ProgramPtr& one : versions.all) pins.emplace_back(one->version, &one->definition);
    return pins;
}

}  // namespace

// Sends a flight, in parts if need be. Done when all of it went through, went to a task of its own,
// or the session is over.
asio::awaitable<void> Worker::Impl::send(Flight flight) {
    const auto begun = session;
    std::vector<Flight> parts;
    parts.push_back(std::move(flight));
    while (!parts.empty() && !begun->over) {
        Flight part = std::move(parts.back());
        parts.pop_back();
        const Instant sent = now();
        const Commit how = co_await commit(part, tries_whole);
        if (begun->over) co_return;
        if (how.refusal == Refusal::none) {
            settle(std::move(part), sent);
        } else if (how.refusal == Refusal::fenced) {
            co_await renew_session(begun, how.error.message);
        } else if (!drop_named(part, how)) {
            if (part.runs.size() > 1) {
                Flight half = take_half(part);
                parts.push_back(std::move(part));
                parts.push_back(std::move(half));
            } else {
                refuse(std::move(part), how);
            }
        } else if (!part.runs.empty()) {
            parts.push_back(std::move(part));
        }
    }
}

// Takes the runs out that the database does not have with this worker; false when it named none.
bool Worker::Impl::drop_named(Flight& part, const Commit& how) {
    const auto named = named_runs(how.error);
    const Flight lost = take_out(part, {named.begin(), named.end()});
    for (const RunId& run : lost.runs) forget_run(run);
    return !lost.runs.empty();
}

void Worker::Impl::forget_run(RunId run) {
    log::warn(
        "a run is let go: the database does not have it with this worker",
        {log::field("worker", to_string(session->id)), log::field("run", to_string(run))}
    );
    places.leave_if([&](const StepOrder& order) { return order.run == run; });
    core().drop(run, now());
    // Should it be leased to this worker all the same, it is found and read anew.
    session->answer_lost = true;
    claim_gate.open();
}

// One run alone was refused.
void Worker::Impl::refuse(Flight part, const Commit& how) {
    const RunId run = part.runs.front();
    const auto begun = session;
    if (how.refusal == Refusal::passing) {
        // It waits for a lock, say. The other runs need not.
        auto alone = std::make_shared<Flight>(std::move(part));
        tasks.spawn(keep_going([this, alone, begun] { return send_alone(alone, begun); }));
        return;
    }
    const bool other_writer = how.refusal == Refusal::not_held || how.refusal == Refusal::taken;
    if (other_writer && ++begun->reloads[run] <= reloads_max) return forget_run(run);
    log::error(
        "a run is set aside: what it did cannot be stored",
        {log::field("worker", to_string(session->id)),
         log::field("run", to_string(run)),
         log::field("error", to_string(how.error))}
    );
    places.leave_if([&](const StepOrder& order) { return order.run == run; });
    core().drop(run, now());
    begun->reloads.erase(run);
    begun->deferred.insert(run);
    tasks.spawn(keep_going([this, run, begun, why = how.error.message] {
        return set_aside(run, why, begun);
    }));
}

asio::awaitable<void> Worker::Impl::send_alone(std::shared_ptr<Flight> flight, SessionPtr begun) {
    if (begun->over) co_return;
    const Instant sent = now();
    const Commit how = co_await commit(*flight, std::numeric_limits<int>::max());
    if (begun->over) co_return;
    if (how.refusal == Refusal::none) {
        settle(std::move(*flight), sent);
    } else if (how.refusal == Refusal::fenced) {
        co_await renew_session(begun, how.error.message);
    } else {
        refuse(std::move(*flight), how);
    }
}

// Until it is done or the session is over. The run is still leased to this worker meanwhile.
asio::awaitable<void> Worker::Impl::set_aside(RunId run, std::string why, SessionPtr begun) {
    for (int failures = 0; !begun->over; ++failures) {
        std::optional<Error> failed;
        try {
            co_await pause_run(begun, run, why);
        } catch (const Failure& failure) {
            failed = failure.error();
        }
        if (!failed || refusal_of(*failed) == Refusal::not_held) break;
        log::error(
            "a run cannot be set aside yet",
            {log::field("run", to_string(run)), log::field("error", to_string(*failed))}
        );
        co_await pause(backoff(failures + 3));
    }
    if (begun->over) co_return;
    begun->deferred.erase(run);
    pump();
}

// Notes in the run's log why it goes no further, as a pause: a person resumes it or cancels it. A
// cancel that is there already counts. A run whose log has ended is closed: what is open of it
// goes.
asio::awaitable<void> Worker::Impl::pause_run(SessionPtr begun, RunId run, std::string why) {
    auto log = co_await store.load_log(options.bucket, run);
    if (log.empty()) co_return;
    const RunVersions versions = co_await versions_of(log, {});
    if (!versions.current) {
        co_await hold(begun, run, std::move(log), versions.missing, std::move(why));
        co_return;
    }
    const Definition& definition = versions.current->definition;
    plan::RunState state =
        versions.all.empty() ? plan::fold(definition, log) : plan::fold(pins_of(versions), log);
    if (is_terminal(state.status)) {
        co_await store.mend_runs(options.bucket, {run});
        co_return;
    }
    store::CommitBatch batch;
    batch.bucket = options.bucket;
    batch.worker = begun->id;
    batch.put_off = true;
    plan::Stimulus stimulus = plan::HoldRequested{{"commit_refused", std::move(why), {}}};
    for (const auto& signal : co_await store.pending_signals(options.bucket, begun->id, {run})) {
        if (signal_kind(signal.kind) != SignalKind::cancel) continue;
        stimulus = plan::SignalReceived{signal.id, signal.kind, signal.data};
        batch.consumed.push_back(signal);
        break;
    }
    const Instant since = state.paused ? log.back().at : now();
    const auto before = plan::open_waits(definition, state);
    // Whatever was under way is not heard of any more.
    const plan::Work lost{{}, plan::wants(state, now()).steps};
    const plan::Moment moment{now(), rng.unit(), versions.current->plan, &lost};
    auto events = plan::decide(definition, state, std::move(stimulus), moment);
    project(run, *versions.current, before, state, events, batch.projections);
    for (Event& event : events) batch.events.push_back({run, std::move(event)});
    if (is_terminal(state.status)) {
        batch.closes.push_back(close_of(run, *versions.current, state));
    } else {
        batch.parks.push_back({run, now() + std::clamp(now() - since, aside_min, aside_max)});
    }
    co_await store.commit_runs(batch);
}

}  // namespace pawl::engine
