#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"

namespace pawl::bench {

namespace {

constexpr int branches = 10;
constexpr int items = 1000;

std::string parallel_text() {
    std::string text = "name: bench_parallel\nnodes:\n- {id: split, type: parallel}\n";
    std::string edges = "edges:\n";
    for (int i = 0; i < branches; ++i) {
        const std::string id = "b" + std::to_string(i);
        text += "- {id: " + id + ", code: noop}\n";
        edges += "- {from: split, to: " + id + "}\n- {from: " + id + ", to: all}\n";
    }
    return text + "- {id: all, join: all}\n" + edges;
}

std::string foreach_text() {
    return "name: bench_foreach\n"
           "nodes:\n"
           "- {id: each, foreach: {items: \"{{ input.items }}\", concurrency: 100}}\n"
           "- {id: body, code: noop}\n"
           "edges: [{from: each, to: body, handle: each}]\n";
}

json::object measure(Rig& rig, const WorkloadContext& context, Drive work, double linear) {
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
        {"workload", "graph"},
        {"case", name},
        {"steps_per_s", rate},
        {"steps", steps},
        {"of_linear", rate / linear}};
    meter.finish(report, steps);
    return report;
}

}  // namespace

// Branches that join, and a list of items: how much of the rate of a line of steps is left.
Reports run_graph(WorkloadContext context) {
    Rig rig(context.target.connect());
    rig.start();
    context.progress("graph: a line of steps, to compare with");
    steps_per_second(rig, 1);
    const double linear = steps_per_second(rig, context.options.seconds);
    Reports reports;
    context.progress("graph: ten branches, joined");
    Drive parallel{parallel_text(), "bench_parallel", branches, 100, context.options.seconds};
    reports.push_back(measure(rig, context, std::move(parallel), linear));
    context.progress("graph: a thousand items");
    Drive each{foreach_text(), "bench_foreach", items, 5, context.options.seconds};
    json::array list;
    for (int i = 0; i < items; ++i) list.emplace_back(i);
    each.input = json::object{{"items", std::move(list)}};
    reports.push_back(measure(rig, context, std::move(each), linear));
    return reports;
}

}  // namespace pawl::bench
