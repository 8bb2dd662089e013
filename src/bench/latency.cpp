#include "base/rng.hpp"
#include "bench/child.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <sstream>

namespace pawl::bench {

namespace {

constexpr int warm_up = 50;

json::object percentiles(std::vector<double> ms) {
    ms.erase(ms.begin(), ms.begin() + warm_up);
    std::sort(ms.begin(), ms.end());
    const auto at = [&](double share) {
        return ms[std::min(
            ms.size() - 1, static_cast<std::size_t>(share * static_cast<double>(ms.size()))
        )];
    };
    return {{"p50", at(0.50)}, {"p95", at(0.95)}, {"p99", at(0.99)}};
}

double milliseconds(Steady::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

// Both sides in one process: the start call's own thread carries the run on.
asio::awaitable<void> same_process(
    host::WorkerThread& thread, Steady::time_point& marked, int runs, std::vector<double>& ms
) {
    const auto program = co_await make_workflow(thread, "bench_latency", 1, "bench_mark");
    engine::Gate closed(thread.executor());
    thread.worker().on_closed = [&](const engine::ClosedRun&) { closed.open(); };
    for (int i = 0; i < runs; ++i) {
        std::vector<engine::StartRequest> one(1);
        one[0].program = program;
        const auto called = Steady::now();
        co_await thread.worker().start(std::move(one));
        co_await closed.wait();
        ms.push_back(milliseconds(marked - called));
    }
    thread.worker().on_closed = nullptr;
}

// Started here, carried out by another process that hears of it by NOTIFY.
asio::awaitable<void> two_processes(
    pg::ConnectOptions connect, Child& child, int runs, std::vector<double>& ms
) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 2, std::chrono::seconds(5)});
    store::PgStore store(pool);
    const auto workflow = co_await store.find_workflow(store::default_tenant, "bench_latency");
    Rng rng;
    IdMaker ids(rng);
    for (int i = 0; i < runs; ++i) {
        store::StartBatch batch;
        store::NewRun run;
        run.workflow = workflow->id;
        run.version = workflow->version;
        run.data = json::object{
            {"workflow", workflow->id}, {"version", workflow->version}, {"input", json::object()}};
        const auto called = Steady::now();
        run.id = RunId{
            ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000))};
        batch.runs.push_back(std::move(run));
        co_await store.start_runs_and_notify(batch);
        std::istringstream line(child.read_line(std::chrono::seconds(10)));
        std::string run_id;
        Steady::rep mark = 0;
        line >> run_id >> mark;
        ms.push_back(milliseconds(Steady::time_point(Steady::duration(mark)) - called));
        // Idle in between: the other process must be back at its listening.
        engine::Gate pause(co_await asio::this_coro::executor);
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(2));
    }
}

}  // namespace

// Idle, one run at a time: from the start call to the first line of the step.
Reports run_latency(WorkloadContext context) {
    constexpr int runs = 1000 + warm_up;
    std::vector<double> here, there;
    Meter meter(context.target.connect());
    {
        Rig rig(context.target.connect());
        Steady::time_point marked;
        rig.registry().add_sync("bench_mark", [&marked](const steps::StepRequest&) {
            marked = Steady::now();
            return steps::completed(nullptr);
        });
        rig.start();
        rig.run(same_process(rig.thread(), marked, runs, here));
    }
    Child child(context.options.program, context.target.url());
    child.read_line(std::chrono::seconds(10));
    run_sync(two_processes(context.target.connect(), child, runs, there));
    json::object report{
        {"workload", "latency"},
        {"same_process_ms", percentiles(std::move(here))},
        {"two_processes_ms", percentiles(std::move(there))},
        {"runs", runs - warm_up}};
    meter.finish(report, std::int64_t{2} * runs);
    return {report};
}

}  // namespace pawl::bench
