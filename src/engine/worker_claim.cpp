#include "engine/worker_impl.hpp"

#include <algorithm>

namespace pawl::engine {

asio::awaitable<ProgramPtr> Worker::Impl::program(
    store::WorkflowId workflow, std::int32_t version
) {
    const std::pair key{workflow, version};
    if (const auto known = programs.find(key); known != programs.end()) co_return known->second;
    const auto stored = co_await store.find_version(workflow, version);
    if (!stored) co_return nullptr;
    auto definition = definition_from_json(stored->definition);
    if (!definition) {
        log::error(
            "a stored workflow version cannot be read",
            {log::field("workflow", stored->name),
             log::field("version", version),
             log::field("error", to_string(definition.error()))}
        );
        co_return nullptr;
    }
    auto made = std::make_shared<const Program>(Program{
        workflow, version, stored->tenant, stored->bucket, std::move(*definition)});
    programs[key] = made;
    co_return made;
}

asio::awaitable<ProgramPtr> Worker::find_program(store::TenantId tenant, std::string name) {
    const auto stored = co_await impl_->store.find_workflow(tenant, std::move(name));
    if (!stored || !stored->active) co_return nullptr;
    co_return co_await impl_->program(stored->id, stored->version);
}

asio::awaitable<ProgramPtr> Worker::find_version(store::WorkflowId workflow, std::int32_t version) {
    return impl_->program(workflow, version);
}

// A run this worker cannot carry on (its definition is unreadable here, perhaps written by a newer
// version): back into the queue, but not at once.
asio::awaitable<void> Worker::Impl::put_aside(RunId run, std::string why) {
    log::error(
        "a run is put aside for a minute",
        {log::field("run", to_string(run)), log::field("reason", why)}
    );
    store::CommitBatch batch;
    batch.bucket = options.bucket;
    batch.worker = id;
    batch.parks.push_back({run, now() + std::chrono::minutes(1)});
    co_await store.commit_runs(batch);
}

namespace {

std::vector<store::Signal> signals_of(const std::vector<store::Signal>& all, RunId run) {
    std::vector<store::Signal> own;
    for (const store::Signal& signal : all) {
        if (signal.run == run) own.push_back(signal);
    }
    return own;
}

}  // namespace

asio::awaitable<std::size_t> Worker::Impl::adopt(
    std::vector<store::LogRow> log, std::uint64_t begun, std::vector<store::Signal> signals
) {
    std::size_t count = 0;
    std::size_t first = 0;
    while (first < log.size()) {
        std::size_t last = first;
        std::vector<Event> events;
        while (last < log.size() && log[last].run == log[first].run)
            events.push_back(std::move(log[last++].event));
        const RunId run = log[first].run;
        first = last;
        ++count;
        const json::value* workflow = find(events.front().data, "workflow");
        const json::value* version = find(events.front().data, "version");
        if (workflow == nullptr || version == nullptr || !workflow->is_int64() ||
            !version->is_int64()) {
            co_await put_aside(run, "its first event does not name a workflow version");
            continue;
        }
        const auto known = co_await program(
            static_cast<store::WorkflowId>(workflow->get_int64()),
            static_cast<std::int32_t>(version->get_int64())
        );
        if (begun != session) co_return count;
        if (!known) {
            co_await put_aside(run, "its workflow version is not there or cannot be read");
        } else {
            if (traces) traces->held(run, *known, events, now());
            core->adopt(run, known, events, now(), signals_of(signals, run));
        }
    }
    co_return count;
}

asio::awaitable<std::size_t> Worker::Impl::claim_once(int limit) {
    const auto begun = session;
    const auto sent = Steady::now();
    ++claim_turn;
    auto claimed = co_await store.claim_runs({options.bucket, id, limit, claim_turn});
    if (begun != session) co_return 0;
    const std::size_t count = co_await adopt(std::move(claimed.log), begun, claimed.signals);
    if (begun != session) co_return count;
    core->signals(claimed.signals, now());
    metrics.claimed(count, Steady::now() - sent);
    pump();
    co_return count;
}

// Takes up what is leased to this worker without its knowing. A run that is
// being started is taken up when that is answered, and no new one is leased
// while the question is under way: else the answer could bring one back that
// has ended meanwhile.
asio::awaitable<void> Worker::Impl::find_lost(std::uint64_t begun) {
    answer_lost = false;
    asking_lost = true;
    auto known = core->held_runs();
    known.insert(known.end(), starting.begin(), starting.end());
    auto lost = co_await store.leased_runs(options.bucket, id, std::move(known));
    asking_lost = false;
    if (begun == session) co_await adopt(std::move(lost), begun);
}

// Looks for due runs: at once when told, else by polling, which is the safety
// net under every lost wake-up.
asio::awaitable<void> Worker::Impl::claim() {
    Duration poll = options.poll_min;
    int failures = 0;
    while (!finished) {
        const std::size_t room = registered && commits_in_doubt == 0 ? core->room() : 0;
        const auto limit = std::min(room, static_cast<std::size_t>(options.claim_max));
        bool look_again = false;
        const auto begun = session;
        std::optional<Failure> failed;
        if (limit > 0) {
            core->reserve(limit);
            claiming = true;
            try {
                if (answer_lost) co_await find_lost(begun);
                more_ready = false;
                const std::size_t count =
                    begun == session ? co_await claim_once(static_cast<int>(limit)) : 0;
                look_again = count == limit;
                more_ready = more_ready || look_again;
                poll = count > 0 ? options.poll_min : std::min(poll * 2, options.poll_max);
                failures = 0;
            } catch (const Failure& failure) {
                failed = failure;
            }
            claiming = asking_lost = false;
            if (begun == session) core->unreserve(limit);
        }
        if (failed && begun == session) {
            // What the claim took before its answer was lost is leased to us without our knowing.
            answer_lost = true;
            if (!is_passing(*failed)) co_await renew_session(begun, failed->what());
            log::warn("a claim failed", {log::field("error", failed->what())});
            ++failures;
            co_await pause(backoff(failures));
            continue;
        }
        if (begun != session) answer_lost = false;
        if (look_again && core->room() > 0) continue;
        const auto jittered = std::chrono::duration_cast<Duration>(poll * (0.75 + rng.unit() / 2));
        co_await claim_gate.wait(Steady::now() + jittered);
    }
}

}  // namespace pawl::engine
