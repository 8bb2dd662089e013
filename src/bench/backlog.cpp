#include "bench/backlog.hpp"

#include "base/rng.hpp"
#include "bench/run_sync.hpp"
#include "engine/async/gate.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/queries.gen.hpp"

namespace pawl::bench {

namespace {

asio::awaitable<void> fill(pg::ConnectOptions options, Backlog backlog) {
    constexpr std::int64_t batch_size = 5000;
    Rng rng;
    IdMaker ids(rng);
    const auto connection = co_await pg::Connection::connect(std::move(options));
    for (std::int64_t done = 0; done < backlog.runs;) {
        store::StartBatch batch;
        for (std::int64_t i = 0; i < batch_size && done < backlog.runs; ++i, ++done) {
            store::NewRun run;
            run.id = RunId{
                ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000))};
            run.workflow = backlog.workflow;
            run.due_at = backlog.due_at;
            run.data = json::object{
                {"workflow", backlog.workflow}, {"version", 1}, {"input", json::object()}};
            batch.runs.push_back(std::move(run));
        }
        co_await connection->run(
            store::queries::start_runs, store::start_params(batch), std::chrono::minutes(1)
        );
    }
}

}  // namespace

asio::awaitable<void> make_backlog_workflow(host::WorkerThread& thread, std::int32_t& workflow) {
    const auto program = co_await make_workflow(thread, "bench_job", 1, "noop");
    workflow = program->workflow;
}

asio::awaitable<void> make_recovery_workflow(host::WorkerThread& thread, std::int32_t& workflow) {
    const auto program = co_await make_workflow(thread, "bench_recovery", 1, "bench_mark");
    workflow = program->workflow;
}

void fill_backlog(const pg::ConnectOptions& connect, Backlog backlog) {
    run_sync(fill(connect, backlog));
}

asio::awaitable<void> wait_until(host::WorkerThread& thread, Instant at) {
    while (thread.worker().now() < at) {
        engine::Gate pause(thread.executor());
        co_await pause.wait(Steady::now() + (at - thread.worker().now()));
    }
}

}  // namespace pawl::bench
