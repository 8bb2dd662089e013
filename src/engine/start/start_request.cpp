#include "engine/start/start_request.hpp"

#include "model/events/whole_run_events.hpp"
#include "model/name_limits.hpp"

#include <algorithm>

namespace pawl::engine {

std::string start_problem(const StartRequest& request) {
    auto problem = name_problem("the subject", request.subject);
    if (!problem.empty()) return problem;
    return name_problem("the correlation id", request.correlation, correlation_bytes_max);
}

bool counts_as_started(const std::vector<Event>& log) {
    if (log.empty() || !events::read_one(log.front().data, &events::RunStarted::uncounted))
        return false;
    // A worker that could not carry it on may have claimed it before.
    return std::all_of(log.begin() + 1, log.end(), [](const Event& event) {
        return event.type == EventType::run_held;
    });
}

// What the earlier one has undone is something new; so is all that only its log tells apart.
static plan::TakenOver taken_over(RunId id, const store::EarlierChild& earlier) {
    plan::TakenOver taken;
    taken.run = to_string(earlier.run);
    taken.first_run = earlier.first_run.empty() ? taken.run : earlier.first_run;
    taken.branch_run = to_string(id);
    taken.anew_run = earlier.undone ? taken.branch_run : earlier.anew_run;
    return taken;
}

store::NewRun to_new_run(RunId id, StartRequest request) {
    const Program& program = *request.program;
    store::NewRun run;
    run.id = id;
    run.tenant = program.tenant;
    run.workflow = program.workflow;
    run.version = program.version;
    run.subject = request.subject;
    run.priority = request.priority;
    run.due_at = request.due_at;
    run.correlation = request.correlation;
    run.head = request.head;
    // A run that another one waits for is its own: that one must not wait for a run of the past.
    run.is_child = request.caller.has_value();
    run.reentry = program.definition.reentry;
    run.reentry_after = program.definition.reentry_after;
    run.has_enter_if = !program.definition.enter_if.is_null();
    const Definition& definition = program.definition;
    run.flow = flow_ticket(
        definition.flow, {program.tenant, program.workflow}, request.input, request.subject
    );
    if (request.caller) run.flow = without_gates(std::move(run.flow), request.caller->gates);
    if (json::object* ticket = run.flow.if_object(); ticket != nullptr && request.gathered) {
        ticket->erase("gather");
        if (ticket->empty()) run.flow = nullptr;
    }
    plan::Origin origin{
        std::move(request.correlation),
        std::move(request.triggered_by),
        std::move(request.parent),
        request.due_at,
        request.caller};
    if (request.earlier) origin.takes_over = taken_over(id, *request.earlier);
    if (!definition.code.empty()) {
        // Plans see it, so it must be the same wherever the log is folded: in this worker, which
        // does not learn the database's time of the start, and in readers of the database.
        const Instant begun{std::chrono::milliseconds(unix_ms_of(id.uuid))};
        origin.started_at = to_rfc3339(begun);
    }
    origin.traceparent = std::move(request.traceparent);
    origin.uncounted = request.uncounted;
    if (!run.flow.is_null()) origin.flow = run.flow;
    run.data = plan::run_started(
                   program.workflow,
                   program.version,
                   request.gathered ? std::move(request.input)
                                    : run_input(definition, std::move(request.input)),
                   std::move(request.subject),
                   definition,
                   std::move(origin)
    )
                   .data;
    return run;
}

}  // namespace pawl::engine
