#include "bench/drive_report.hpp"

#include "bench/meter.hpp"

namespace pawl::bench {

json::object report_drive(
    Rig& rig, const WorkloadContext& context, const char* workload, Drive work, double linear
) {
    std::int64_t steps = 0;
    Drive warm_up = work;
    warm_up.seconds = 1;
    rig.run(drive(rig.thread(), std::move(warm_up), steps));
    Meter meter(context.target.connect());
    const std::string name = work.name;
    const auto begun = Steady::now();
    rig.run(drive(rig.thread(), std::move(work), steps));
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    const double rate = static_cast<double>(steps) / took;
    json::object report{
        {"workload", workload}, {"case", name}, {"steps_per_s", rate}, {"steps", steps}};
    if (linear > 0) report["of_linear"] = rate / linear;
    meter.finish(report, steps);
    return report;
}

}  // namespace pawl::bench
