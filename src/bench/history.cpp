#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

namespace pawl::bench {

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
    const double empty = warm_steps_per_second(rig, context.options.seconds);
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
