#include "app/tasks/task_actions.hpp"

#include "app/refusal.hpp"
#include "model/json_schema.hpp"
#include "model/person.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::app {

namespace {

std::string who_may(const store::HumanTask& task) {
    if (task.approvers.empty()) return task.assignee;
    const std::string others = fmt::format("{}", fmt::join(task.approvers, ", "));
    return task.escalated_to.empty() ? others : others + ", " + task.escalated_to;
}

// What is wrong with what would be approved. None: the form is filled in as asked.
std::optional<Error> form_problem(const store::HumanTask& task, const store::TaskAction& action) {
    if (action.kind != store::TaskActionKind::approve || task.form.is_null()) return std::nullopt;
    const json::value& filled = action.data ? *action.data : task.data;
    std::vector<WrongPlace> places;
    for (SchemaProblem& wrong : check_document(task.form, filled)) {
        places.push_back({"/data" + wrong.pointer, std::move(wrong.message)});
    }
    if (places.empty()) return std::nullopt;
    return wrong_places(std::move(places), "the form is not filled in as asked: ");
}

Error no_task(Uuid id) {
    return not_found("there is no task " + to_string(id)).with("task", to_string(id));
}

Error closed(const store::HumanTask& task) {
    const std::string sentence =
        task.decided_by.empty() ? fmt::format("the task is {}", task.state)
                                : fmt::format("the task was {} by {}", task.state, task.decided_by);
    return refusal(Errc::conflict, "task_closed", sentence)
        .with("status", task.state)
        .with("person", task.decided_by);
}

// Why something was not done.
Error answer_problem(
    store::TaskAnswer answer, const store::HumanTask& task, const store::TaskAction& action
) {
    using store::TaskAnswer;
    using Kind = store::TaskActionKind;
    const auto conflict = [](std::string_view code, const std::string& person, std::string why) {
        return refusal(Errc::conflict, code, std::move(why)).with("person", person);
    };
    const auto forbidden = [](std::string_view code, const std::string& person, std::string why) {
        return refusal(Errc::forbidden, code, std::move(why)).with("person", person);
    };
    const std::string& by = action.by;
    switch (answer) {
        case TaskAnswer::closed: return closed(task);
        case TaskAnswer::late:
            return refusal(Errc::conflict, "task_overdue", "the time to decide is over");
        case TaskAnswer::claimed:
            return conflict(
                "task_claimed",
                task.claimed_by,
                task.claimed_by + " has claimed the task; they can unclaim it"
            );
        case TaskAnswer::not_allowed:
            return forbidden(
                "not_asked",
                by,
                fmt::format("{} is not asked; {} may decide, or delegate it", by, who_may(task))
            );
        case TaskAnswer::twice: {
            const std::string_view done = action.kind == Kind::reject ? "rejected" : "approved";
            return conflict("already_approved", by, fmt::format("{} has {} it already", by, done));
        }
        case TaskAnswer::excluded: {
            const std::string& person = action.kind == Kind::delegate ? action.to : by;
            return forbidden(
                "excluded",
                person,
                person + " may not decide this: the step keeps them from it (exclude)"
            );
        }
        case TaskAnswer::voted:
            return conflict(
                "already_approved", by, by + " has voted already, and cannot hand on that vote"
            );
        case TaskAnswer::seated:
            return conflict(
                "already_asked",
                action.to,
                action.to + " is asked already and has one vote; delegate it to another person"
            );
        case TaskAnswer::not_found:
        case TaskAnswer::done: break;
    }
    return no_task(task.id);
}

}  // namespace

asio::awaitable<Result<store::HumanTask>> find_task(TaskUses& uses, store::Tenant tenant, Uuid id) {
    auto found = co_await uses.tasks.find(tenant, id);
    if (!found) co_return no_task(id);
    co_return std::move(*found);
}

asio::awaitable<Result<store::HumanTask>> act_on_task(
    TaskUses& uses, store::Tenant tenant, Uuid id, store::TaskAction action
) {
    const auto before = co_await find_task(uses, tenant, id);
    if (!before) co_return before.error();
    if (before->state == "open") {
        if (auto wrong = form_problem(*before, action)) co_return std::move(*wrong);
    }
    const store::TaskAction asked = action;
    const auto answer = co_await uses.tasks.apply_action(tenant, id, std::move(action));
    auto after = co_await find_task(uses, tenant, id);
    if (!after) co_return after.error();
    if (answer != store::TaskAnswer::done) co_return answer_problem(answer, *after, asked);
    if (after->state != "open") uses.wake_workers();
    co_return std::move(*after);
}

bool may_decide(const store::HumanTask& task, const std::string& by) {
    const auto has = [&by](const std::vector<std::string>& names) {
        return std::any_of(names.begin(), names.end(), [&by](const std::string& one) {
            return is_same_person(one, by);
        });
    };
    if (has(task.excluded)) return false;
    if (!task.approvers.empty()) {
        return has(task.approvers) || (!by.empty() && is_same_person(task.escalated_to, by));
    }
    return task.assignee.empty() || is_same_person(task.assignee, by);
}

}  // namespace pawl::app
