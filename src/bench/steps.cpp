#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"

namespace pawl::bench {

// 3-step no-op workflows, started and finished, each step durable before the next begins.
Reports run_steps(WorkloadContext context) {
    Rig rig(context.target.connect());
    rig.start();
    std::int64_t steps = 0;
    rig.run(run_steps_for(rig.thread(), 1, steps));  // warm: plans, partitions, caches
    Meter meter(context.target.connect());
    const auto begun = Steady::now();
    rig.run(run_steps_for(rig.thread(), context.options.seconds, steps));
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    json::object report{
        {"workload", "steps"},
        {"steps_per_s", static_cast<double>(steps) / took},
        {"steps", steps}};
    meter.finish(report, steps);
    return {report};
}

}  // namespace pawl::bench
