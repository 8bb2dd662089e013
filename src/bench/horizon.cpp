#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

namespace pawl::bench {

namespace {

constexpr Duration limit = std::chrono::seconds(30);

double steps_per_second(Rig& rig, double seconds) {
    std::int64_t steps = 0;
    const auto begun = Steady::now();
    rig.run(run_steps_for(rig.thread(), seconds, steps));
    return static_cast<double>(steps) /
           std::chrono::duration<double>(Steady::now() - begun).count();
}

asio::awaitable<void> hold_snapshot(
    pg::ConnectOptions options, std::unique_ptr<pg::Connection>& holder
) {
    holder = co_await pg::Connection::connect(std::move(options));
    co_await holder->script(
        "set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read", limit
    );
    co_await holder->run(store::queries::bench_hold_snapshot, pg::Params(), limit);
}

}  // namespace

// Throughput while another session holds an open snapshot for the whole run, against the same
// without.
Reports run_horizon(WorkloadContext context) {
    Rig rig(context.target.connect());
    rig.start();
    steps_per_second(rig, 1);
    const double free = steps_per_second(rig, context.options.seconds);
    std::unique_ptr<pg::Connection> holder;
    rig.run(hold_snapshot(context.target.connect(), holder));
    Meter meter(context.target.connect());
    const double held = steps_per_second(rig, context.options.seconds);
    json::object report{
        {"workload", "horizon"},
        {"steps_per_s", held},
        {"steps_per_s_without_snapshot", free},
        {"ratio", held / free}};
    meter.finish(report, static_cast<std::int64_t>(held * context.options.seconds));
    holder.reset();
    return {report};
}

namespace {

asio::awaitable<void> fill_history(
    pg::ConnectOptions options, long events, const Progress& progress
) {
    constexpr std::int32_t runs_at_once = 20'000;
    constexpr long events_per_run = 5;
    const auto connection = co_await pg::Connection::connect(std::move(options));
    for (long done = 0; done < events; done += runs_at_once * events_per_run) {
        progress(
            "history: " + std::to_string(done / 1000) + "k of " + std::to_string(events / 1000) +
            "k events"
        );
        pg::Params params;
        params.add(runs_at_once);
        co_await connection->run(
            store::queries::bench_fill_history, std::move(params), std::chrono::minutes(5)
        );
    }
    co_await connection->run(
        store::queries::bench_checkpoint, pg::Params(), std::chrono::minutes(10)
    );
}

}  // namespace

// Throughput with an empty log and with a long one.
Reports run_history(WorkloadContext context) {
    Rig rig(context.target.connect());
    rig.start();
    steps_per_second(rig, 1);
    const double empty = steps_per_second(rig, context.options.seconds);
    run_sync(
        fill_history(context.target.connect(), context.options.history_events, context.progress)
    );
    Meter meter(context.target.connect());
    const double full = steps_per_second(rig, context.options.seconds);
    json::object report{
        {"workload", "history"},
        {"steps_per_s", full},
        {"steps_per_s_empty", empty},
        {"ratio", full / empty},
        {"history_events", context.options.history_events}};
    meter.finish(report, static_cast<std::int64_t>(full * context.options.seconds));
    return {report};
}

}  // namespace pawl::bench
