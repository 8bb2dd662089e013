#include "store/repos/human_tasks.hpp"

#include "base/json.hpp"
#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <array>

namespace pawl::store {

namespace {

HumanTask task_of(const pg::Rows& rows, int row) {
    HumanTask task;
    pg::RowReader(rows, row) >> task.id >> task.run >> task.token >> task.workflow >> task.node >>
        task.subject >> task.title >> task.description >> pg::shown(task.data) >>
        pg::shown(task.form) >> task.assignee >> task.group >> task.approvers >>
        task.approvals_needed >> task.approved_by >> task.due_at >> task.state >> task.claimed_by >>
        task.opened_at >> task.decided_at >> task.decided_by >> task.reason >>
        task.rejections_needed >> task.rejected_by >> task.excluded >> task.escalated_to >>
        pg::shown(task.key_names);
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

std::string called(const HumanTask& task, const std::string& who) {
    const std::string_view name = text_in(task.key_names, who);
    return name.empty() ? who : std::string(name);
}

asio::awaitable<std::optional<HumanTask>> HumanTasks::find(Tenant tenant, Uuid task) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::find_task, params_of(tenant.bucket, tenant.id, task)
    );
    co_return pg::first_row(rows, task_of);
}

asio::awaitable<std::vector<TaskDecision>> HumanTasks::decisions(Tenant tenant, Uuid task) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::task_decisions, params_of(tenant.bucket, task, tenant.id)
    );
    std::vector<TaskDecision> decisions;
    for (int row = 0; row < rows.size(); ++row) {
        TaskDecision& one = decisions.emplace_back();
        pg::RowReader(rows, row) >> one.at >> one.action >> one.by >> one.reason >>
            pg::shown(one.data) >> one.by_name;
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
