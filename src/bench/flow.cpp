#include "base/rng.hpp"
#include "bench/backlog.hpp"
#include "bench/drive_report.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>

namespace pawl::bench {

namespace {

constexpr std::int32_t other_tenant = 2;
constexpr int probes = 20;

std::string text_of(const std::string& name, const std::string& flow) {
    return "name: " + name + "\nflow: " + flow +
           "\nsteps: [{name: a, code: noop}, {name: b, code: noop}, {name: c, code: noop}]\n";
}

// How long a single run of another tenant takes from its start to its end, in seconds.
asio::awaitable<void> probe(
    host::WorkerThread& thread, std::int32_t workflow, std::vector<double>& seconds
) {
    Rng rng;
    IdMaker ids(rng);
    engine::Gate done(thread.executor());
    for (int i = 0; i < probes; ++i) {
        store::StartBatch batch;
        store::NewRun run;
        run.id = RunId{
            ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000))};
        run.tenant = other_tenant;
        run.workflow = workflow;
        run.data = json::object{{"workflow", workflow}, {"version", 1}, {"input", json::object()}};
        batch.runs.push_back(run);
        bool closed = false;
        thread.worker().on_closed = [&](const engine::ClosedRun& one) {
            if (one.run != run.id) return;
            closed = true;
            done.open();
        };
        const auto begun = Steady::now();
        co_await thread.store().start_runs(batch);
        while (!closed) co_await done.wait();
        seconds.push_back(std::chrono::duration<double>(Steady::now() - begun).count());
    }
    thread.worker().on_closed = nullptr;
}

json::object measure_fairness(const WorkloadContext& context) {
    Rig rig(context.target.connect());
    rig.start();
    std::int32_t workflow = 0;
    rig.run(make_backlog_workflow(rig.thread(), workflow));
    const std::int64_t runs = context.options.parked_runs;
    const Instant due = rig.worker().now() + std::chrono::seconds(2 + runs / 15'000);
    fill_backlog(context.target.connect(), {.workflow = workflow, .runs = runs, .due_at = due});
    rig.run(wait_until(rig.thread(), due));
    rig.worker().wake();
    std::vector<double> seconds;
    rig.run(probe(rig.thread(), workflow, seconds));
    std::sort(seconds.begin(), seconds.end());
    return {
        {"workload", "flow"},
        {"case", "another tenant's run"},
        {"runs_ahead", runs},
        {"median_s", seconds[seconds.size() / 2]},
        {"max_s", seconds.back()}};
}

}  // namespace

// What limits cost: none, a key of its own for every hundredth run, one key for all, and a limit
// that is always reached; then how long one run waits behind another tenant's backlog.
Reports run_flow(WorkloadContext context) {
    Reports reports;
    {
        Rig rig(context.target.connect());
        rig.start();
        const double seconds = context.options.seconds;
        const auto run = [&](std::string name, const std::string& flow, double linear) {
            context.progress("flow: " + name);
            Drive work{.text = text_of(name, flow), .name = name, .steps = 3, .seconds = seconds};
            work.keys = 100;
            reports.push_back(report_drive(rig, context, "flow", std::move(work), linear));
            return reports.back().at("steps_per_s").as_double();
        };
        const double linear = run("no_limits", "{}", 0);
        run("key_each", "{concurrency: {key: '{{ key }}', limit: 100000}}", linear);
        run("key_shared", "{concurrency: {limit: 100000}}", linear);
        run("limit_reached", "{concurrency: {key: '{{ key }}', limit: 5}}", linear);
    }
    context.progress("flow: a backlog of another tenant");
    reports.push_back(measure_fairness(context));
    return reports;
}

}  // namespace pawl::bench
