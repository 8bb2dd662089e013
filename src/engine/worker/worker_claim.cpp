#include "engine/worker/worker_impl.hpp"
#include "model/events/signal_kind.hpp"
#include "model/events/whole_run_events.hpp"
#include "plan/repin.hpp"

#include <algorithm>

namespace pawl::engine {

namespace {

// Longer than a statement may take on a server whose client is gone.
constexpr auto late_claim = std::chrono::seconds(45);
constexpr auto ask_lost_every = std::chrono::seconds(3);
// A claim is at most so much larger than what is held: how large runs are here is seen before there
// are many.
constexpr std::size_t claim_first = 64;

}  // namespace

asio::awaitable<ProgramPtr> Worker::find_program(
    store::TenantId tenant, std::string name, std::string key
) {
    const auto stored = co_await impl_->store.find_workflow(tenant, std::move(name));
    if (!stored || !stored->active) co_return nullptr;
    const auto version = choose_version(stored->version, stored->canary, stored->id, key);
    co_return co_await impl_->programs.find(stored->id, version);
}

asio::awaitable<ProgramPtr> Worker::find_active_version(
    store::TenantId tenant, std::string name, std::string version
) {
    const auto stored = co_await impl_->store.find_workflow(tenant, std::move(name));
    if (!stored || !stored->active) co_return nullptr;
    std::vector<std::int32_t> active{stored->version};
    for (const VersionShare& one : stored->canary) active.push_back(one.version);
    for (const std::int32_t number : active) {
        auto program = co_await impl_->programs.find(stored->id, number);
        const bool named =
            version == std::to_string(number) || (program && version == program->definition.label);
        if (named) co_return program;
    }
    co_return nullptr;
}

asio::awaitable<ProgramPtr> Worker::find_version(store::WorkflowId workflow, std::int32_t version) {
    return impl_->programs.find(workflow, version);
}

bool Worker::Impl::carries_on(const Program& program) const {
    if (program.plan != nullptr) return true;
    return program.definition.code.empty() && !options.only_code;
}

// Every version that a run has to do with; the last one of its log is that of now. `missing` is the
// first that is not known here.
asio::awaitable<RunVersions> Worker::Impl::versions_of(
    const std::vector<Event>& log, const std::vector<store::Signal>& signals
) {
    RunVersions found;
    const store::WorkflowId number =
        events::read_one(log.front().data, &events::RunStarted::workflow);
    const auto pinned = plan::pinned_versions(log);
    if (number == 0 || pinned.empty()) co_return found;
    for (const std::int32_t version : pinned) {
        found.missing = version;
        auto known = co_await programs.find(number, version);
        if (!known) {
            found.current = nullptr;
            co_return found;
        }
        found.current = known;
        found.all.push_back(std::move(known));
    }
    found.next = found.current;
    bool several = pinned.size() > 1;
    for (const store::Signal& signal : signals) {
        if (signal_kind(signal.kind) != SignalKind::repin) continue;
        several = true;
        auto known = co_await programs.find(number, plan::repin_order(signal.data).version);
        if (!known) continue;
        found.next = known;
        found.all.push_back(std::move(known));
    }
    if (!several) found.all.clear();
    co_return found;
}

namespace {

using SignalsByRun = std::map<RunId, std::vector<store::Signal>>;

SignalsByRun by_run(std::vector<store::Signal> signals) {
    SignalsByRun sorted;
    for (store::Signal& signal : signals) sorted[signal.run].push_back(std::move(signal));
    return sorted;
}

}  // namespace

// Empty, or why it cannot be carried on: the others of the claim can be.
std::string Worker::Impl::take_up(
    RunId run,
    const std::vector<Event>& log,
    const std::vector<store::Signal>& signals,
    const RunVersions& versions
) {
    try {
        core().adopt(run, versions.current, log, now(), signals, versions.all);
        if (counts_as_started(log)) counters_of(*versions.current).runs_started(1);
        if (traces()) traces()->held(run, *versions.current, log, now());
    } catch (const std::exception& error) {
        core().abandon(run, now());
        return error.what();
    }
    return "";
}

asio::awaitable<std::size_t> Worker::Impl::adopt(
    std::vector<store::LogRow> log, SessionPtr begun, std::vector<store::Signal> signals
) {
    std::size_t count = 0;
    std::size_t first = 0;
    std::vector<ForeignRun> foreign;
    SignalsByRun waiting = by_run(std::move(signals));
    while (first < log.size()) {
        std::size_t last = first;
        std::vector<Event> events;
        bool readable = true;
        for (; last < log.size() && log[last].run == log[first].run; ++last) {
            readable = readable && log[last].readable;
            events.push_back(std::move(log[last].event));
        }
        const RunId run = log[first].run;
        first = last;
        ++count;
        if (!readable) {
            co_await hold(
                begun, run, std::move(events), 0, "its log holds a value that cannot be read"
            );
            if (begun->over) co_return count;
            continue;
        }
        const auto own = std::move(waiting[run]);
        const auto versions = co_await versions_of(events, own);
        if (begun->over) co_return count;
        if (versions.current && carries_on(*versions.next)) {
            const std::string problem = take_up(run, events, own, versions);
            if (problem.empty()) continue;
            co_await hold(
                begun, run, std::move(events), 0, "its log cannot be carried on: " + problem
            );
            if (begun->over) co_return count;
            continue;
        }
        if (versions.current) {
            const Event& end = events.back();
            foreign.push_back({run, versions.next, end.seq, end.type == EventType::run_held});
            continue;
        }
        const bool named = versions.missing != 0;
        co_await hold(
            begun,
            run,
            std::move(events),
            versions.missing,
            named ? "its workflow version is not there or cannot be read"
                  : "its first event does not name a workflow version"
        );
        if (begun->over) co_return count;
    }
    if (!foreign.empty()) co_await leave_to_others(begun, std::move(foreign));
    co_return count;
}

asio::awaitable<std::size_t> Worker::Impl::claim_once(
    int limit, std::optional<std::vector<store::TenantId>> beside
) {
    const auto begun = session;
    const auto sent = Steady::now();
    ++claim_turn;
    const auto message_read = core().begin_message_read();
    auto claimed =
        co_await store.claim_runs({options.bucket, begun->id, limit, claim_turn, beside});
    if (begun->over) co_return 0;
    const bool told = std::any_of(
        claimed.signals.begin(),
        claimed.signals.end(),
        [](const store::Signal& signal) { return signal_kind(signal.kind) == SignalKind::event; }
    );
    note_portion(claimed.signals);
    claimed.signals = fresh(std::move(claimed.signals), *message_read);
    const std::size_t count = co_await adopt(std::move(claimed.log), begun, claimed.signals);
    if (begun->over) co_return count;
    // One that is full of what was due has not come to events.
    if (told || (!beside && count < static_cast<std::size_t>(limit))) matched_at = Steady::now();
    // What was taken up before a version had to be read may have committed its messages since.
    core().signals(fresh(std::move(claimed.signals), *message_read), now());
    metrics.claimed(count, Steady::now() - sent);
    pump();
    co_return count;
}

// A claim whose answer is lost may still be carried out after the next question: the server does
// not notice at once that its client is gone.
bool Worker::Impl::asks_for_lost() const {
    const auto moment = Steady::now();
    const bool late = moment < session->ask_lost_until;
    return session->answer_lost || (late && moment - session->asked_lost_at > ask_lost_every);
}

// Takes up what is leased to this worker without its knowing. A run that is
// being started is taken up when that is answered, and no new one is leased
// while the question is under way: else the answer could bring one back that
// has ended meanwhile.
asio::awaitable<void> Worker::Impl::find_lost(SessionPtr begun) {
    begun->answer_lost = false;
    begun->asked_lost_at = Steady::now();
    begun->asking_lost = true;
    auto known = begun->core.held_runs();
    known.insert(known.end(), begun->starting.begin(), begun->starting.end());
    known.insert(known.end(), begun->deferred.begin(), begun->deferred.end());
    auto lost = co_await store.leased_runs(options.bucket, begun->id, std::move(known));
    begun->asking_lost = false;
    if (!begun->over) co_await adopt(std::move(lost), begun);
}

// One run that is due cannot be claimed: the next claim comes past it.
asio::awaitable<void> Worker::Impl::put_off_unclaimable(int limit) {
    try {
        for (const auto& one :
             co_await store.put_off_unclaimable(options.bucket, session->id, limit)) {
            log::error(
                "a run is put off: it cannot be claimed",
                {log::field("run", to_string(one.run)), log::field("error", one.reason)}
            );
        }
    } catch (const Failure& failure) {
        log::warn("due runs could not be tried", {log::field("error", failure.what())});
    }
}

// Looks for due runs: at once when told, else by polling, which is the safety
// net under every lost wake-up.
asio::awaitable<void> Worker::Impl::claim() {
    Duration poll = options.poll_min;
    int failures = 0;
    while (!finished) {
        const bool able = registered && session->commits_in_doubt == 0;
        std::size_t room = able ? core().room() : 0;
        // Without room, tenants that have little here are looked for all the same.
        std::optional<std::vector<store::TenantId>> beside;
        if (able && room == 0 && Steady::now() - looked_beside >= options.poll_min) {
            Core::Beside others = core().beside();
            looked_beside = Steady::now();
            room = others.room;
            beside = std::move(others.tenants);
        }
        const auto largest = static_cast<std::size_t>(options.claim_max);
        const auto limit =
            room == 0 ? 0 : std::min({room, largest, claim_first + 2 * core().held()});
        bool look_again = false;
        const auto begun = session;
        std::optional<Failure> failed;
        if (limit > 0) {
            core().reserve(limit);
            begun->claiming = true;
            try {
                if (asks_for_lost()) co_await find_lost(begun);
                if (!beside) more_ready = false;
                const std::size_t count =
                    begun->over ? 0 : co_await claim_once(static_cast<int>(limit), beside);
                look_again = count >= limit;
                more_ready = more_ready || look_again;
                poll = count > 0 ? options.poll_min : std::min(poll * 2, options.poll_max);
                failures = 0;
            } catch (const Failure& failure) {
                failed = failure;
            }
            begun->claiming = begun->asking_lost = false;
            begun->core.unreserve(limit);
        }
        if (failed && !begun->over) {
            // What the claim took before its answer was lost is leased to us without our knowing.
            begun->answer_lost = true;
            begun->ask_lost_until = Steady::now() + late_claim;
            if (failed->error().code == Errc::fenced) {
                co_await renew_session(begun, failed->what());
            } else if (!is_passing(*failed)) {
                co_await put_off_unclaimable(static_cast<int>(limit));
            }
            log::warn("a claim failed", {log::field("error", failed->what())});
            ++failures;
            co_await pause(backoff(failures));
            continue;
        }
        if (look_again && core().room() > 0) continue;
        // Woken too soon after the last look beside: that is made up for.
        if (able && room == 0 && !beside) poll = options.poll_min;
        const auto jittered = std::chrono::duration_cast<Duration>(poll * (0.75 + rng.unit() / 2));
        co_await claim_gate.wait(Steady::now() + jittered);
    }
}

}  // namespace pawl::engine
