#include "bench/backlog.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"

namespace pawl::bench {

namespace {

asio::awaitable<void> until_drained(host::WorkerThread& thread, std::int64_t runs) {
    engine::Gate done(thread.executor());
    std::int64_t closed = 0;
    thread.worker().on_closed = [&](const engine::ClosedRun&) {
        if (++closed == runs) done.open();
    };
    thread.worker().wake();
    while (closed < runs) co_await done.wait();
    thread.worker().on_closed = nullptr;
}

// Runs that were closed before they are counted would be waited for without an end.
void check_in_time(Instant now, Instant due) {
    if (now < due) return;
    throw Failure(
        {Errc::unavailable,
         "the backlog took longer to write than the worker waited; try again on a quiet machine",
         {}}
    );
}

}  // namespace

// A backlog of ready 1-step runs, drained.
Reports run_jobs(WorkloadContext context) {
    const auto runs = static_cast<std::int64_t>(context.options.seconds * 40'000);
    engine::WorkerOptions options;
    Rig rig(context.target.connect(), options);
    rig.start();
    std::int32_t workflow = 0;
    rig.run(make_backlog_workflow(rig.thread(), workflow));
    // Due a little later, so that the worker does not begin before the clock does.
    const auto delay = std::chrono::seconds(5 + runs / 10'000);
    const Instant due = rig.worker().now() + delay;
    fill_backlog(context.target.connect(), {.workflow = workflow, .runs = runs, .due_at = due});
    check_in_time(rig.worker().now(), due);
    rig.run(wait_until(rig.thread(), due));
    Meter meter(context.target.connect());
    const auto begun = Steady::now();
    rig.run(until_drained(rig.thread(), runs));
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    const double rate = static_cast<double>(runs) / took;
    json::object report{
        {"workload", "jobs"}, {"steps_per_s", rate}, {"runs_per_s", rate}, {"runs", runs}};
    meter.finish(report, runs);
    return {report};
}

}  // namespace pawl::bench
