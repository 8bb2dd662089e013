#include "base/rng.hpp"
#include "bench/meter.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "engine/async/coroutine_group.hpp"
#include "store/pg/known_rows.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/queries.gen.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <thread>

namespace pawl::bench {

namespace {

constexpr Duration round_limit = std::chrono::seconds(60);
constexpr int batch_size = 500;

// One connection writing the very rows of 3-step runs: start, three appends, close, five commits a
// batch.
struct BareLoop {
    Rng rng;
    IdMaker ids{rng};
    WorkerId worker;
    std::unique_ptr<pg::Connection> connection;
    store::KnownRows known_rows;

    asio::awaitable<void> begin(pg::ConnectOptions options) {
        connection = co_await pg::Connection::connect(std::move(options));
        worker = WorkerId{next_id()};
        pg::Params params;
        params.add(worker.uuid).add("bench").add(std::int32_t{0}).add("bench");
        co_await connection->run(store::queries::register_worker, std::move(params), round_limit);
    }

    Uuid next_id() {
        return ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000));
    }

    asio::awaitable<void> start(const std::vector<RunId>& runs) {
        store::StartBatch batch;
        batch.worker = worker;
        for (const RunId run : runs) {
            store::NewRun fresh;
            fresh.id = run;
            fresh.workflow = 1;
            fresh.data = json::object{{"workflow", 1}, {"version", 1}, {"input", json::object()}};
            fresh.lease = true;
            batch.runs.push_back(std::move(fresh));
        }
        co_await connection->run(
            store::queries::start_runs, store::start_params(batch), round_limit
        );
    }

    asio::awaitable<void> append(const std::vector<RunId>& runs, int seq) {
        store::CommitBatch batch;
        batch.worker = worker;
        for (const RunId run : runs) {
            Event event;
            event.seq = seq;
            event.type = seq == 4 ? EventType::run_completed : EventType::step_completed;
            if (seq < 4) {
                event.attempt = 1;
                event.node = "step_" + std::to_string(seq);
            }
            batch.events.push_back({run, std::move(event)});
            if (seq == 4)
                batch.closes.push_back({.run = run, .started_at = wall_now(), .workflow = 1});
        }
        co_await commit(batch);
    }

    asio::awaitable<void> commit(const store::CommitBatch& batch) {
        const auto held = store::runs_of(batch);
        auto params = store::commit_params(batch, held, known_rows.places_of(held));
        const auto answer =
            co_await connection->run(store::queries::commit_runs, std::move(params), round_limit);
        known_rows.learn(batch, held, answer.text(0, 2));
    }

    asio::awaitable<void> loop(double seconds, std::atomic<std::int64_t>& steps) {
        const auto until = Steady::now() + std::chrono::duration<double>(seconds);
        while (Steady::now() < until) {
            std::vector<RunId> runs(batch_size);
            for (RunId& run : runs) run = RunId{next_id()};
            co_await start(runs);
            for (int seq = 1; seq <= 4; ++seq) co_await append(runs, seq);
            steps += std::int64_t{3} * batch_size;
        }
    }
};

asio::awaitable<void> bare_loop(
    pg::ConnectOptions options, double seconds, std::atomic<std::int64_t>& steps
) {
    BareLoop loop;
    co_await loop.begin(std::move(options));
    co_await loop.loop(seconds, steps);
}

json::object batched(const WorkloadContext& context) {
    const auto run = [&](double seconds) {
        std::atomic<std::int64_t> steps{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back([&] {
                run_sync(bare_loop(context.target.connect(), seconds, steps));
            });
        }
        for (auto& thread : threads) thread.join();
        return steps.load();
    };
    run(1);
    Meter meter(context.target.connect());
    const auto begun = Steady::now();
    const std::int64_t steps = run(context.options.seconds);
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    json::object report{
        {"workload", "limit"},
        {"steps_per_s", static_cast<double>(steps) / took},
        {"steps", steps}};
    meter.finish(report, steps);
    return report;
}

asio::awaitable<void> commit_single_rows(
    pg::ConnectOptions options, double seconds, std::int64_t& commits
) {
    BareLoop loop;
    co_await loop.begin(std::move(options));
    const std::vector<RunId> run{RunId{loop.next_id()}};
    const auto until = Steady::now() + std::chrono::duration<double>(seconds);
    store::CommitBatch batch;
    batch.worker = loop.worker;
    for (std::int32_t seq = 0; Steady::now() < until; ++seq) {
        Event event;
        event.seq = seq;
        event.type = EventType::step_completed;
        batch.events.assign(1, {run[0], std::move(event)});
        co_await loop.commit(batch);
        ++commits;
    }
}

asio::awaitable<void> many_single_rows(
    const pg::ConnectOptions& options, int connections, double seconds, std::int64_t& commits
) {
    engine::CoroutineGroup group(co_await asio::this_coro::executor);
    for (int i = 0; i < connections; ++i)
        group.spawn(commit_single_rows(options, seconds, commits));
    co_await group.join();
}

}  // namespace

Reports run_limit(WorkloadContext context) {
    json::object report = batched(context);
    for (const int connections : {1, 8, 32}) {
        std::int64_t commits = 0;
        const double seconds = context.options.seconds / 3;
        run_sync(many_single_rows(context.target.connect(), connections, seconds, commits));
        report["single_row_commits_per_s_" + std::to_string(connections)] =
            static_cast<double>(commits) / seconds;
    }
    return {report};
}

}  // namespace pawl::bench
