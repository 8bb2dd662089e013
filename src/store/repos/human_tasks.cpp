#include "store/repos/human_tasks.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <array>

namespace pawl::store {

namespace {

std::vector<std::string> texts_of(const json::value& list) {
    std::vector<std::string> texts;
    if (!list.is_array()) return texts;
    for (const json::value& one : list.get_array()) {
        if (one.is_string()) texts.emplace_back(one.get_string());
    }
    return texts;
}

HumanTask task_of(const pg::Rows& rows, int row) {
    HumanTask task;
    task.id = rows.uuid(row, 0);
    task.run = RunId{rows.uuid(row, 1)};
    task.token = rows.int4(row, 2);
    task.workflow = rows.text(row, 3);
    task.node = rows.text(row, 4);
    task.subject = rows.text(row, 5);
    task.title = rows.text(row, 6);
    task.description = rows.text(row, 7);
    task.data = rows.shown_jsonb(row, 8);
    task.form = rows.shown_jsonb(row, 9);
    task.assignee = rows.text(row, 10);
    task.group = rows.text(row, 11);
    task.approvers = texts_of(rows.shown_jsonb(row, 12));
    task.approvals_needed = rows.int2(row, 13);
    task.approved_by = texts_of(rows.shown_jsonb(row, 14));
    task.due_at = rows.instant_or_none(row, 15);
    task.state = rows.text(row, 16);
    task.claimed_by = rows.text(row, 17);
    task.opened_at = rows.instant(row, 18);
    task.decided_at = rows.instant_or_none(row, 19);
    task.decided_by = rows.text(row, 20);
    task.reason = rows.text(row, 21);
    task.rejections_needed = rows.int2(row, 22);
    task.rejected_by = texts_of(rows.shown_jsonb(row, 23));
    task.excluded = texts_of(rows.shown_jsonb(row, 24));
    task.escalated_to = rows.text(row, 25);
    return task;
}

constexpr std::array<std::pair<std::string_view, TaskAnswer>, 10> answers = {{
    {"done", TaskAnswer::done},
    {"not_found", TaskAnswer::not_found},
    {"closed", TaskAnswer::closed},
    {"late", TaskAnswer::late},
    {"claimed", TaskAnswer::claimed},
    {"not_allowed", TaskAnswer::not_allowed},
    {"twice", TaskAnswer::twice},
    {"voted", TaskAnswer::voted},
    {"seated", TaskAnswer::seated},
    {"excluded", TaskAnswer::excluded},
}};

}  // namespace

std::string_view name(TaskActionKind kind) {
    switch (kind) {
        case TaskActionKind::claim: return "claim";
        case TaskActionKind::unclaim: return "unclaim";
        case TaskActionKind::delegate: return "delegate";
        case TaskActionKind::approve: return "approve";
        case TaskActionKind::reject: return "reject";
    }
    return "approve";
}

asio::awaitable<TaskPage> HumanTasks::list(Tenant tenant, TaskFilter filter) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.state)).add(some(filter.assignee));
    params.add(some(filter.group)).add(some(filter.workflow));
    std::optional<Uuid> run;
    if (filter.run) run = filter.run->uuid;
    // One more than asked for tells whether there is a next page.
    params.add(run).add(filter.before).add(std::int32_t{filter.limit} + 1).add(std::int32_t{0});
    const auto rows = co_await call_as(pool_, tenant.id, queries::list_tasks, std::move(params));
    TaskPage page;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 6)) {
            if (!page.next) page.next = rows.uuid(row, 0);
        } else if (static_cast<int>(page.tasks.size()) < filter.limit) {
            page.tasks.push_back(task_of(rows, row));
        } else if (filter.limit > 0) {
            page.next = page.tasks.back().id;
        }
    }
    co_return page;
}

asio::awaitable<std::optional<HumanTask>> HumanTasks::find(Tenant tenant, Uuid task) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(task);
    const auto rows = co_await call_as(pool_, tenant.id, queries::find_task, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return task_of(rows, 0);
}

asio::awaitable<std::vector<TaskDecision>> HumanTasks::decisions(Tenant tenant, Uuid task) {
    pg::Params params;
    params.add(tenant.bucket).add(task);
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::task_decisions, std::move(params));
    std::vector<TaskDecision> decisions;
    for (int row = 0; row < rows.size(); ++row) {
        decisions.push_back(
            {rows.instant(row, 0),
             rows.text(row, 1),
             rows.text(row, 2),
             rows.text(row, 3),
             rows.shown_jsonb(row, 4)}
        );
    }
    co_return decisions;
}

asio::awaitable<TaskAnswer> HumanTasks::apply_action(Tenant tenant, Uuid task, TaskAction action) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(task).add(name(action.kind));
    params.add(std::string_view(action.by)).add(some(action.reason));
    if (action.data) {
        params.add_json(*action.data);
    } else {
        params.add_null();
    }
    params.add(some(action.to)).add(action.force);
    const auto rows = co_await call_as(pool_, tenant.id, queries::act_on_task, std::move(params));
    const std::string said = rows.text(0, 0);
    // The refusal rests on an earlier decision, which must be as durable as the answer.
    if (said != "done" && said != "not_found") co_await confirm_found(pool_);
    for (const auto& [text, answer] : answers) {
        if (text == said) co_return answer;
    }
    throw Failure({Errc::internal, "pawl.act_on_task said '" + said + "'", {}});
}

}  // namespace pawl::store
