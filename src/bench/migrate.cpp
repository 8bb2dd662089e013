#include "app/jobs/bulk_jobs.hpp"
#include "base/fresh_id.hpp"
#include "bench/backlog.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"
#include "store/queries.gen.hpp"

#include <boost/asio/this_coro.hpp>

#include <thread>

namespace pawl::bench {

namespace {

using namespace std::chrono_literals;

constexpr const char* first_version =
    "{name: bench_migrate, version: 1.0.0, steps: [{id: order, type: code, function: noop}, "
    "{id: answer, type: wait, signal: go}, {id: book, type: code, function: noop}]}";
// The step on which all of them stand has another name, and there is one more after it.
constexpr const char* second_version =
    "{name: bench_migrate, version: 2.0.0, steps: [{id: order, type: code, function: noop}, "
    "{id: reply, type: wait, signal: go}, {id: check, type: code, function: noop}, "
    "{id: book, type: code, function: noop}]}";

asio::awaitable<void> apply(host::WorkerThread& thread, std::string text, std::int32_t& workflow) {
    const auto applied = co_await thread.store().apply_workflow(
        store::default_tenant, parse_definition(text).value()
    );
    workflow = applied.id;
}

// Until so many runs are parked at this version; returns the seconds that took.
asio::awaitable<void> until_parked(
    pg::ConnectOptions connect, std::int32_t version, std::int64_t runs, double& took
) {
    const auto connection = co_await pg::Connection::connect(std::move(connect));
    const auto begun = Steady::now();
    for (;;) {
        pg::Params params;
        params.add(version);
        const auto rows =
            co_await connection->run(store::queries::bench_count_parked, std::move(params), 1min);
        if (rows.int8(0, 0) >= runs) break;
        engine::Gate pause(co_await asio::this_coro::executor);
        co_await pause.wait(Steady::now() + 100ms);
    }
    took = std::chrono::duration<double>(Steady::now() - begun).count();
}

// One job from its beginning to its end, as a server does it.
asio::awaitable<void> carry_out(
    pg::ConnectOptions connect, bool dry_run, std::int64_t runs, json::object& report
) {
    const auto executor = co_await asio::this_coro::executor;
    pg::Pool pool(executor, {connect, 4, 5s});
    store::PgStore store(pool);
    store::Heads heads(pool);
    store::Versions versions(pool);
    store::Jobs jobs(pool);
    app::Programs programs(executor, store, heads, versions);
    app::Starter starter(executor, {});
    app::MigrateJobs migrations(jobs, programs, versions);
    store::MessageLog messages(pool);
    app::BulkJobs bulk(store, jobs, programs, starter, migrations, messages);
    store::RunMigration migration;
    migration.to = 2;
    migration.map = {{"answer", "reply"}};
    migration.dry_run = dry_run;
    migration.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = "bench_migrate";
    const Uuid id = fresh_id();
    const auto begun = Steady::now();
    co_await jobs.create_bulk(
        id,
        store::default_tenant,
        store::fitting(filter, "migrate").value(),
        store::to_request(migration, id),
        runs
    );
    auto job = co_await jobs.claim(1min);
    while (job && !job->is_over()) job = co_await bulk.next_part(*job, 1min);
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    report[dry_run ? "impact_s" : "tell_s"] = took;
    if (job) report[dry_run ? "impact" : "migrated"] = job->counts;
    co_await programs.stop();
    co_await starter.stop();
}

}  // namespace

// Open runs that wait are brought to another version, while the worker goes on with other runs.
Reports run_migrate(WorkloadContext context) {
    const std::int64_t runs = context.options.migrate_runs;
    const pg::ConnectOptions connect = context.target.connect();
    Rig rig(connect);
    rig.start();
    std::int32_t workflow = 0;
    rig.run(apply(rig.thread(), first_version, workflow));
    context.progress("migrate: " + std::to_string(runs) + " runs reach their wait");
    fill_backlog(connect, {.workflow = workflow, .runs = runs, .due_at = {}});
    double ignored = 0;
    run_sync(until_parked(connect, 1, runs, ignored));
    rig.run(apply(rig.thread(), second_version, workflow));
    json::object report{{"workload", "migrate"}, {"runs", runs}};
    run_sync(carry_out(connect, true, runs, report));
    Meter meter(connect);
    std::int64_t steps = 0;
    const auto begun = Steady::now();
    // By the same worker: what it starts when it is full would be closed, and counted, by another.
    double worked = 0;
    std::thread load([&] {
        rig.run(run_steps_for(rig.thread(), 5, steps));
        worked = std::chrono::duration<double>(Steady::now() - begun).count();
    });
    run_sync(carry_out(connect, false, runs, report));
    run_sync(until_parked(connect, 2, runs, ignored));
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    load.join();
    report["migrate_s"] = took;
    report["migrated_per_s"] = static_cast<double>(runs) / took;
    report["steps_per_s_meanwhile"] = static_cast<double>(steps) / worked;
    meter.finish(report, runs);
    return {report};
}

}  // namespace pawl::bench
