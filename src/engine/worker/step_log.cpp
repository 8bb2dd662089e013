#include "engine/worker/step_log.hpp"

#include "base/log.hpp"

namespace pawl::engine {

namespace {

const char* message(const StepLine& line) {
    if (!line.outcome.error) return "a step completed";
    return line.again ? "a step failed and will be tried again" : "a step failed for good";
}

}  // namespace

void log_step(const StepLine& line) {
    const auto level = line.outcome.error ? log::Level::warn : log::Level::debug;
    if (!log::enabled(level)) return;
    const Program& program = *line.order.program;
    const Node& node = program.definition.nodes[line.order.step.node];
    const std::string run = to_string(line.order.run);
    const auto& error = line.outcome.error;
    // 00-TRACE-SPAN-01
    const bool traced = !line.traceparent.empty();
    log::write(
        level,
        message(line),
        {log::field("run", run),
         log::field("tenant", int{program.tenant}),
         log::field("workflow", program.definition.name),
         log::field("version", int{program.version}),
         log::field("step", node.id),
         log::field("step_id", plan::idempotency_key(run, program.definition, line.order.step)),
         log::field("seq", int{line.seq}),
         log::field("attempt", int{line.order.step.attempt}),
         log::field("worker", to_string(line.worker)),
         log::field("latency_ms", line.latency_ms),
         log::field("correlation", line.correlation),
         log::field("trace_id", traced ? line.traceparent.substr(3, 32) : std::string()),
         log::field("code", error ? error->code : std::string()),
         log::field("error", error ? error->message : std::string())}
    );
}

}  // namespace pawl::engine
