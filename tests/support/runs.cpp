#include "support/runs.hpp"

#include "base/clock.hpp"
#include "base/rng.hpp"

namespace pawl::test {

namespace {

Uuid next_id() {
    static Rng rng;
    static IdMaker maker(rng);
    const auto ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(wall_now().time_since_epoch());
    return maker.next(static_cast<std::uint64_t>(ms.count()));
}

}  // namespace

RunId new_run_id() {
    return RunId{next_id()};
}

WorkerId new_worker_id() {
    return WorkerId{next_id()};
}

Definition line(const std::string& name, int steps) {
    Definition definition;
    definition.name = name;
    for (int i = 1; i <= steps; ++i) {
        Node node;
        node.id = "step_" + std::to_string(i);
        node.config = {{"function", "noop"}};
        node.has_templates = false;
        definition.nodes.push_back(std::move(node));
    }
    for (int i = 1; i < steps; ++i) {
        Edge edge;
        edge.from = static_cast<NodeIndex>(i - 1);
        edge.to = static_cast<NodeIndex>(i);
        definition.edges.push_back(edge);
    }
    return definition;
}

store::NewRun new_run(store::WorkflowId workflow) {
    store::NewRun run;
    run.id = new_run_id();
    run.workflow = workflow;
    run.data = json::object{
        {"workflow", workflow}, {"version", 1}, {"input", json::object{{"greeting", "hello"}}}};
    return run;
}

Event step_completed(std::int32_t seq, const std::string& node) {
    Event event;
    event.seq = seq;
    event.type = EventType::step_completed;
    event.attempt = 1;
    event.node = node;
    event.data = json::object{{"ok", true}};
    return event;
}

Event run_completed(std::int32_t seq) {
    Event event;
    event.seq = seq;
    event.type = EventType::run_completed;
    event.data = json::object{{"done", true}};
    return event;
}

}  // namespace pawl::test
