#include "bench/drive_report.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"

#include <fmt/core.h>

namespace pawl::bench {

namespace {

constexpr int branches = 10;
constexpr int items = 1000;
constexpr int waiting = 10'000;
constexpr int batch = 500;  // of starts and of events

std::string parallel_text() {
    std::string text = "name: bench_parallel\nnodes:\n- {id: split, type: parallel}\n";
    std::string edges = "edges:\n";
    for (int i = 0; i < branches; ++i) {
        const std::string id = "b" + std::to_string(i);
        text += "- {id: " + id + ", code: noop}\n";
        edges += fmt::format("- {{from: split, to: {0}}}\n- {{from: {0}, to: all}}\n", id);
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

// Runs that wait for an event with a key of their own, and do so many steps around that.
struct Waits {
    std::string name;
    int before = 0;
    int after = 0;
    int steps() const { return before + 1 + after; }
    int steps_after_arrival() const { return 1 + after; }
};

std::string waits_text(const Waits& waits) {
    std::string text = "name: " + waits.name + "\nsteps:\n";
    const auto add = [&text](const std::string& prefix, int count) {
        for (int i = 0; i < count; ++i) {
            text += "- {name: " + prefix + std::to_string(i) + ", code: noop}\n";
        }
    };
    add("a", waits.before);
    text += "- {name: w, wait: {event: bench.event, key: \"{{ input.n }}\"}}\n";
    add("b", waits.after);
    return text;
}

asio::awaitable<void> shortly(host::WorkerThread& thread) {
    engine::Gate pause(thread.executor());
    co_await pause.wait(Steady::now() + std::chrono::milliseconds(1));
}

// Fills in when all of them wait and the first event is sent.
asio::awaitable<void> bring_events(
    host::WorkerThread& thread, Waits waits, std::int64_t first, int runs, Steady::time_point& sent
) {
    const auto definition = parse_definition(waits_text(waits));
    co_await thread.store().apply_workflow(store::default_tenant, definition.value());
    const auto program = co_await thread.worker().find_program(store::default_tenant, waits.name);
    engine::Gate done(thread.executor());
    int closed = 0;
    thread.worker().on_closed = [&](const engine::ClosedRun&) {
        if (++closed == runs) done.open();
    };
    for (int started = 0; started < runs; started += batch) {
        // Those that wait already have made room.
        while (thread.worker().room() < batch) co_await shortly(thread);
        std::vector<engine::StartRequest> requests(batch);
        for (int i = 0; i < batch; ++i) {
            auto& request = requests[static_cast<std::size_t>(i)];
            request.program = program;
            request.input = json::object{{"n", first + started + i}};
        }
        co_await thread.worker().start(std::move(requests));
    }
    while (thread.worker().held() > 0) co_await shortly(thread);
    sent = Steady::now();
    for (int published = 0; published < runs; published += batch) {
        std::vector<store::OutsideEvent> events(batch);
        for (int i = 0; i < batch; ++i) {
            auto& event = events[static_cast<std::size_t>(i)];
            event.key = std::to_string(first + published + i);
            event.id = event.key;
            event.name = "bench.event";
        }
        co_await thread.store().publish_events(0, std::move(events));
        thread.worker().on_matchable();
    }
    while (closed < runs) co_await done.wait();
    thread.worker().on_closed = nullptr;
}

json::object measure_events(
    Rig& rig, const WorkloadContext& context, double linear, Waits waits, std::int64_t first
) {
    Steady::time_point sent{};
    rig.run(bring_events(rig.thread(), waits, first, waiting, sent));
    Meter meter(context.target.connect());
    const auto begun = Steady::now();
    rig.run(bring_events(rig.thread(), waits, first + waiting, waiting, sent));
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    const double arriving = std::chrono::duration<double>(Steady::now() - sent).count();
    const std::int64_t steps = std::int64_t{waits.steps()} * waiting;
    const double rate = static_cast<double>(steps) / took;
    json::object report{
        {"workload", "graph"},
        {"case", waits.name},
        {"steps_per_s", rate},
        {"steps", steps},
        {"of_linear", rate / linear},
        {"events_per_s", waiting / arriving},
        {"of_linear_from_arrival", waits.steps_after_arrival() * waiting / arriving / linear}};
    meter.finish(report, steps);
    return report;
}

}  // namespace

// Branches that join, a list of items, runs that wait for events: how much of the rate of a line of
// steps is left.
Reports run_graph(WorkloadContext context) {
    Rig rig(context.target.connect());
    rig.start();
    context.progress("graph: a line of steps, to compare with");
    steps_per_second(rig, 1);
    const double linear = steps_per_second(rig, context.options.seconds);
    Reports reports;
    context.progress("graph: ten branches, joined");
    Drive parallel{parallel_text(), "bench_parallel", branches, 100, context.options.seconds};
    reports.push_back(report_drive(rig, context, "graph", std::move(parallel), linear));
    context.progress("graph: a thousand items");
    Drive each{foreach_text(), "bench_foreach", items, 5, context.options.seconds};
    json::array list;
    for (int i = 0; i < items; ++i) list.emplace_back(i);
    each.input = json::object{{"items", std::move(list)}};
    reports.push_back(report_drive(rig, context, "graph", std::move(each), linear));
    context.progress("graph: ten thousand runs that wait for events");
    // The least that such a run can be: it waits, and does a step.
    reports.push_back(measure_events(rig, context, linear, {"bench_waits", 0, 1}, 0));
    context.progress("graph: the same between the three steps of a line");
    const Waits between{"bench_waits_between_steps", 1, 2};
    reports.push_back(measure_events(rig, context, linear, between, std::int64_t{10} * waiting));
    return reports;
}

}  // namespace pawl::bench
