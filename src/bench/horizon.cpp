#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

namespace pawl::bench {

namespace {

constexpr Duration holder_limit = std::chrono::seconds(30);

asio::awaitable<void> hold_snapshot(
    pg::ConnectOptions options, std::unique_ptr<pg::Connection>& holder
) {
    holder = co_await pg::Connection::connect(std::move(options));
    co_await holder->script(
        "set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read",
        holder_limit
    );
    co_await holder->run(store::queries::bench_hold_snapshot, pg::Params(), holder_limit);
}

}  // namespace

// Throughput while another session holds an open snapshot for the whole run, against the same
// without.
Reports run_horizon(WorkloadContext context) {
    Rig rig(context.target.connect());
    const double free = warm_steps_per_second(rig, context.options.seconds);
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

}  // namespace pawl::bench
