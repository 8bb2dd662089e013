#include "base/log.hpp"
#include "bench/bench.hpp"
#include "bench/rig.hpp"
#include "engine/async/gate.hpp"

#include <fmt/core.h>

#include <cstdio>

namespace pawl::bench {

namespace {

// One line per first line of a step: the run, and the monotonic clock, which all processes of a
// machine share.
void report(const steps::StepRequest& request) {
    fmt::print("{} {}\n", request.run_id, Steady::now().time_since_epoch().count());
    std::fflush(stdout);
}

asio::awaitable<steps::StepOutcome> hang(steps::StepRequest request) {
    report(request);
    engine::Gate never(co_await asio::this_coro::executor);
    co_await never.wait();
    co_return steps::completed(nullptr);
}

}  // namespace

int run_bench_child(const BenchChildOptions& options) {
    log::configure(log::Level::error, log::Format::human);
    pg::ConnectOptions connect;
    connect.conninfo = options.database_url;
    engine::WorkerOptions worker;
    // A thousand steps that never end, all under way at once.
    worker.steps_max = worker.runs_max;
    Rig rig(connect, worker);
    if (options.hang) {
        rig.registry().add_async("bench_mark", hang);
    } else {
        rig.registry().add_sync("bench_mark", [](const steps::StepRequest& request) {
            report(request);
            return steps::completed(nullptr);
        });
    }
    rig.start();
    fmt::print("ready\n");
    std::fflush(stdout);
    rig.thread().join();
    return 0;
}

}  // namespace pawl::bench
