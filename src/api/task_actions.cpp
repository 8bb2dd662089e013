#include "api/task_actions.hpp"

#include "api/http/problem.hpp"
#include "model/json_schema.hpp"
#include "model/person.hpp"

#include <fmt/format.h>

namespace pawl::api {

namespace {

std::string who_may(const store::HumanTask& task) {
    if (task.approvers.empty()) return task.assignee;
    const std::string others = fmt::format("{}", fmt::join(task.approvers, ", "));
    return task.escalated_to.empty() ? others : others + ", " + task.escalated_to;
}

}  // namespace

std::optional<Problem> form_problem(const store::HumanTask& task, const store::TaskAction& action) {
    if (action.kind != store::TaskActionKind::approve || task.form.is_null()) return std::nullopt;
    const json::value& filled = action.data ? *action.data : task.data;
    Problem problem{422, "validation_failed", "", {}, {}};
    for (SchemaProblem& wrong : check_document(task.form, filled)) {
        problem.places.push_back({"/data" + wrong.pointer, "", std::move(wrong.message)});
    }
    if (problem.places.empty()) return std::nullopt;
    problem.detail = "the form is not filled in as asked: " + summary_of(problem.places);
    return problem;
}

Problem answer_problem(
    store::TaskAnswer answer, const store::HumanTask& task, const store::TaskAction& action
) {
    using store::TaskAnswer;
    switch (answer) {
        case TaskAnswer::closed: {
            std::string detail = fmt::format("the task is {}", task.state);
            if (!task.decided_by.empty()) {
                detail = fmt::format("the task was {} by {}", task.state, task.decided_by);
            }
            return {409, "task_closed", std::move(detail), {}, {}};
        }
        case TaskAnswer::late: return {409, "task_overdue", "the time to decide is over", {}, {}};
        case TaskAnswer::claimed:
            return {
                409,
                "task_claimed",
                fmt::format("{} has claimed the task; they can unclaim it", task.claimed_by),
                {},
                {}};
        case TaskAnswer::not_allowed:
            return {
                403,
                "not_asked",
                fmt::format(
                    "{} is not asked; {} may decide, or delegate it", action.by, who_may(task)
                ),
                {},
                {}};
        case TaskAnswer::twice:
            return {
                409,
                "already_approved",
                fmt::format(
                    "{} has {} it already",
                    action.by,
                    action.kind == store::TaskActionKind::reject ? "rejected" : "approved"
                ),
                {},
                {}};
        case TaskAnswer::excluded:
            return {
                403,
                "excluded",
                fmt::format(
                    "{} may not decide this: the step keeps them from it (exclude)",
                    action.kind == store::TaskActionKind::delegate ? action.to : action.by
                ),
                {},
                {}};
        case TaskAnswer::voted:
            return {
                409,
                "already_approved",
                fmt::format("{} has voted already, and cannot hand on that vote", action.by),
                {},
                {}};
        case TaskAnswer::seated:
            return {
                409,
                "already_asked",
                fmt::format(
                    "{} is asked already and has one vote; delegate it to somebody else", action.to
                ),
                {},
                {}};
        case TaskAnswer::not_found:
        case TaskAnswer::done: break;
    }
    return {404, "not_found", "there is no task " + to_string(task.id), {}, {}};
}

Uuid task_param(const Call& call) {
    const auto id = parse_uuid(call.params.at(0));
    if (!id) refuse_not_found("'" + call.params.at(0) + "' is not the id of a task");
    return *id;
}

asio::awaitable<store::HumanTask> find_task(Services& services, store::Tenant tenant, Uuid task) {
    auto found = co_await services.human_tasks.find(tenant, task);
    if (!found) refuse_not_found("there is no task " + to_string(task));
    co_return std::move(*found);
}

std::string acting_for(const Call& call, const std::optional<std::string>& said) {
    const Principal& principal = call.principal;
    if (!principal.person) return said.value_or(principal.name);
    if (said && !is_same_person(*said, principal.name)) {
        refuse(
            403,
            "not_you",
            fmt::format("your token says that you are {}, not {}", principal.name, *said)
        );
    }
    return principal.name;
}

asio::awaitable<store::HumanTask> act(
    Services& services, store::Tenant tenant, Uuid id, store::TaskAction action
) {
    const store::HumanTask before = co_await find_task(services, tenant, id);
    if (before.state == "open") {
        if (auto wrong = form_problem(before, action)) throw Refused(std::move(*wrong));
    }
    const store::TaskAction asked = action;
    const auto answer = co_await services.human_tasks.act(tenant, id, std::move(action));
    store::HumanTask after = co_await find_task(services, tenant, id);
    if (answer != store::TaskAnswer::done) throw Refused(answer_problem(answer, after, asked));
    if (after.state != "open") services.wake_workers();
    co_return after;
}

}  // namespace pawl::api
