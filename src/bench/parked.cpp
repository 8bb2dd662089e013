#include "base/rng.hpp"
#include "bench/backlog.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>

namespace pawl::bench {

namespace {

constexpr int claims = 20;
constexpr int claim_size = 500;

asio::awaitable<void> claim_all(pg::ConnectOptions connect, std::vector<double>& ms) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 2, std::chrono::seconds(5)});
    store::PgStore store(pool);
    Rng rng;
    IdMaker ids(rng);
    const WorkerId worker{ids.next(1)};
    co_await store.register_worker({worker, "bench", 0, "bench"});
    for (int i = 0; i < claims; ++i) {
        const auto begun = Steady::now();
        co_await store.claim_runs({0, worker, claim_size});
        ms.push_back(std::chrono::duration<double, std::milli>(Steady::now() - begun).count());
    }
}

// Median time of a claim of 500 due runs, from a backlog that is just due.
double claim_ms(const WorkloadContext& context, std::int32_t workflow) {
    fill_backlog(
        context.target.connect(),
        {.workflow = workflow, .runs = std::int64_t{claims} * claim_size, .due_at = {}}
    );
    std::vector<double> ms;
    run_sync(claim_all(context.target.connect(), ms));
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

asio::awaitable<void> read_bytes(
    pg::ConnectOptions connect, std::int64_t& live, std::int64_t& events
) {
    const auto connection = co_await pg::Connection::connect(std::move(connect));
    const auto first = co_await connection->run(
        store::queries::bench_live_run_bytes, pg::Params(), std::chrono::minutes(1)
    );
    const auto second = co_await connection->run(
        store::queries::bench_event_bytes, pg::Params(), std::chrono::minutes(1)
    );
    live = first.int8(0, 0);
    events = second.int8(0, 0);
}

}  // namespace

// A million sleeping runs: what they cost, and whether they slow down other runs.
Reports run_parked(WorkloadContext context) {
    const long runs = context.options.parked_runs;
    std::int32_t workflow = 0;
    {
        Rig rig(context.target.connect());
        rig.start();
        rig.run(make_backlog_workflow(rig.thread(), workflow));
    }
    claim_ms(context, workflow);  // warm
    const double empty_ms = claim_ms(context, workflow);
    std::int64_t live_before = 0, events_before = 0, live = 0, events = 0;
    run_sync(read_bytes(context.target.connect(), live_before, events_before));
    context.progress("parked: writing " + std::to_string(runs) + " sleeping runs");
    const Instant tomorrow = wall_now() + std::chrono::hours(24);
    fill_backlog(
        context.target.connect(), {.workflow = workflow, .runs = runs, .due_at = tomorrow}
    );
    run_sync(read_bytes(context.target.connect(), live, events));
    const double full_ms = claim_ms(context, workflow);
    Meter meter(context.target.connect());
    std::int64_t steps = 0;
    double took = 0;
    {
        Rig rig(context.target.connect());
        rig.start();
        const auto begun = Steady::now();
        rig.run(run_steps_for(rig.thread(), context.options.seconds, steps));
        took = std::chrono::duration<double>(Steady::now() - begun).count();
    }
    const auto each = [&](std::int64_t bytes) {
        return static_cast<double>(bytes) / static_cast<double>(runs);
    };
    json::object report{
        {"workload", "parked"},
        {"runs", runs},
        {"steps_per_s", static_cast<double>(steps) / took},
        {"live_run_bytes_per_run", each(live - live_before)},
        {"event_bytes_per_run", each(events - events_before)},
        {"claim_500_ms_empty", empty_ms},
        {"claim_500_ms_parked", full_ms},
        {"claim_ratio", full_ms / empty_ms}};
    meter.finish(report, steps);
    return {report};
}

}  // namespace pawl::bench
