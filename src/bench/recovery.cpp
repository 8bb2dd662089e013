#include "bench/backlog.hpp"
#include "bench/child.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"

namespace pawl::bench {

// kill -9 of a worker with 1,000 runs in flight: how long until another worker has taken up all of
// them.
Reports run_recovery(WorkloadContext context) {
    constexpr int runs = 1000;
    constexpr Duration patience = std::chrono::seconds(60);
    std::int32_t workflow = 0;
    {
        Rig rig(context.target.connect());
        rig.start();
        rig.run(make_recovery_workflow(rig.thread(), workflow));
    }
    Meter meter(context.target.connect());
    Child victim(context.options.program, context.target.url(), {"--hang"});
    victim.read_line(patience);
    fill_backlog(context.target.connect(), {.workflow = workflow, .runs = runs, .due_at = {}});
    for (int i = 0; i < runs; ++i) victim.read_line(patience);
    Child heir(context.options.program, context.target.url());
    heir.read_line(patience);
    victim.kill_hard();
    const auto killed = Steady::now();
    double first_s = 0;
    for (int i = 0; i < runs; ++i) {
        heir.read_line(patience);
        if (i == 0) first_s = std::chrono::duration<double>(Steady::now() - killed).count();
    }
    const double all_s = std::chrono::duration<double>(Steady::now() - killed).count();
    json::object report{
        {"workload", "recovery"},
        {"runs", runs},
        {"first_resumed_s", first_s},
        {"all_resumed_s", all_s}};
    meter.finish(report, runs);
    return {report};
}

}  // namespace pawl::bench
