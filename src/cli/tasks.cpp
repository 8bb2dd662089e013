#include "store/tasks.hpp"

#include "api/shapes.hpp"
#include "api/task_actions.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/json_option.hpp"
#include "cli/names.hpp"
#include "cli/pretty_json.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"
#include "store/pg_store.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

Result<Uuid> read_task_id(const std::string& text) {
    if (const auto id = parse_uuid(text)) return *id;
    return Error{
        Errc::invalid, "'" + text + "' is not the id of a task", {{"next", "pawl tasks list"}}};
}

std::string who(const store::HumanTask& task) {
    if (!task.claimed_by.empty()) return task.claimed_by + " (claimed)";
    if (!task.approvers.empty()) return fmt::format("{}", fmt::join(task.approvers, ", "));
    if (!task.assignee.empty()) return task.assignee;
    return task.group.empty() ? "anybody" : "group " + task.group;
}

asio::awaitable<int> list(pg::Pool& pool, store::Tenant tenant, const TasksListOptions& options) {
    store::Tasks tasks(pool);
    store::TaskFilter filter;
    if (options.state != "any") filter.state = options.state;
    filter.assignee = options.assignee;
    filter.group = options.group;
    filter.workflow = options.workflow;
    if (!options.run.empty()) filter.run = read_run_id(options.run).value();
    filter.limit = options.limit;
    const auto page = co_await tasks.list(tenant, std::move(filter));
    if (page.tasks.empty()) {
        const auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
    if (options.globals.machine()) {
        json::array items;
        for (const auto& task : page.tasks) items.push_back(api::to_json(task));
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (page.tasks.empty()) {
        say(options.globals, "nobody is asked anything");
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const auto& task : page.tasks) {
        rows.push_back(
            {to_string(task.id),
             shorten(task.title, 40),
             task.state,
             shorten(who(task), 30),
             task.due_at ? human_time(*task.due_at) : "",
             task.workflow}
        );
    }
    print_table(options.globals, {"TASK", "TITLE", "STATE", "FOR", "DUE (UTC)", "WORKFLOW"}, rows);
    say(options.globals, "decide one: pawl tasks approve ID, pawl tasks reject ID --reason TEXT");
    co_return exit_ok;
}

Error no_task(const std::string& id) {
    return {Errc::not_found, "there is no task " + id, {{"next", "pawl tasks list"}}};
}

void print_task(
    const Globals& globals,
    const store::HumanTask& task,
    const std::vector<store::TaskDecision>& decisions
) {
    std::vector<TableRow> rows{
        {"task", to_string(task.id)},
        {"title", task.title},
        {"state", task.state},
        {"for", who(task)},
        {"run", to_string(task.run)},
        {"step", task.workflow + " / " + task.node}};
    if (!task.description.empty()) rows.push_back({"description", task.description});
    if (task.due_at) rows.push_back({"due", human_time(*task.due_at)});
    if (task.approvals_needed > 1) {
        rows.push_back(
            {"approvals", fmt::format("{} of {}", task.approved_by.size(), task.approvals_needed)}
        );
    }
    if (task.rejections_needed > 1) {
        rows.push_back(
            {"rejections", fmt::format("{} of {}", task.rejected_by.size(), task.rejections_needed)}
        );
    }
    if (!task.excluded.empty()) {
        rows.push_back({"not", fmt::format("{}", fmt::join(task.excluded, ", "))});
    }
    if (!task.escalated_to.empty()) rows.push_back({"escalated to", task.escalated_to});
    if (!task.data.is_null()) rows.push_back({"data", compact(task.data)});
    print_details(globals, rows);
    print_line("");
    std::vector<TableRow> audit;
    for (const auto& decision : decisions) {
        audit.push_back(
            {human_time(decision.at),
             decision.action,
             decision.by,
             shorten(decision.reason, 50),
             decision.data.is_null() ? "" : shorten(compact(decision.data), 50)}
        );
    }
    print_table(globals, {"AT (UTC)", "ACTION", "BY", "REASON", "DATA"}, audit);
}

asio::awaitable<int> show(
    pg::Pool& pool, store::Tenant tenant, const TasksShowOptions& options, Uuid id
) {
    store::Tasks tasks(pool);
    const auto task = co_await tasks.find(tenant, id);
    if (!task) co_return report(options.globals, no_task(options.id));
    const auto decisions = co_await tasks.decisions(tenant, id);
    if (options.globals.machine()) {
        json::object document = api::to_json(*task);
        json::array& audit = document["audit"].emplace_array();
        for (const auto& decision : decisions) audit.push_back(api::to_json(decision));
        print_json(options.globals, document);
        co_return exit_ok;
    }
    print_task(options.globals, *task, decisions);
    co_return exit_ok;
}

std::string outcome(const store::TaskAction& action, const store::HumanTask& task) {
    switch (action.kind) {
        case store::TaskActionKind::claim: return "claimed by " + task.claimed_by;
        case store::TaskActionKind::unclaim: return "nobody has claimed it any more";
        case store::TaskActionKind::delegate: return "handed on to " + action.to;
        case store::TaskActionKind::approve:
        case store::TaskActionKind::reject: break;
    }
    if (task.state != "open") return "the task is " + task.state;
    if (action.kind == store::TaskActionKind::reject) {
        return fmt::format(
            "rejected by {} of {}; others are asked too",
            task.rejected_by.size(),
            task.rejections_needed
        );
    }
    return fmt::format(
        "approved by {} of {}; others are asked too", task.approved_by.size(), task.approvals_needed
    );
}

asio::awaitable<int> act(
    pg::Pool& pool,
    store::Tenant tenant,
    const TasksActOptions& options,
    Uuid id,
    store::TaskAction action
) {
    store::Tasks tasks(pool);
    const auto before = co_await tasks.find(tenant, id);
    if (!before) co_return report(options.globals, no_task(options.id));
    if (auto wrong = api::form_problem(*before, action)) {
        co_return report(options.globals, {Errc::invalid, wrong->detail, {}});
    }
    const store::TaskAction asked = action;
    const auto answer = co_await tasks.act(tenant, id, std::move(action));
    const auto after = co_await tasks.find(tenant, id);
    if (answer != store::TaskAnswer::done || !after) {
        const auto problem = api::answer_problem(answer, after.value_or(*before), asked);
        co_return report(
            options.globals,
            {problem.status == 403 ? Errc::forbidden : Errc::conflict, problem.detail, {}}
        );
    }
    store::PgStore store(pool);
    co_await store.notify_workers(tenant.bucket);
    if (options.globals.machine()) {
        print_json(options.globals, api::to_json(*after));
    } else {
        print_line(to_string(id));
        say(options.globals, outcome(asked, *after));
    }
    co_return exit_ok;
}

}  // namespace

int run_tasks_list(const TasksListOptions& options) {
    if (!options.run.empty()) {
        const auto run = read_run_id(options.run);
        if (!run) return report(options.globals, run.error());
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return list(pool, tenant, options);
    });
}

int run_tasks_show(const TasksShowOptions& options) {
    const auto id = read_task_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return show(pool, tenant, options, *id);
    });
}

int run_tasks_act(const TasksActOptions& options) {
    const auto id = read_task_id(options.id);
    if (!id) return report(options.globals, id.error());
    const std::pair<const char*, std::string> texts[] = {
        {"--by", options.by}, {"--reason", options.reason}, {"--to", options.to}};
    for (const auto& [option, text] : texts) {
        if (auto fine = check_text(option, text, 2000); !fine) {
            return report(options.globals, fine.error());
        }
    }
    if (options.by.empty()) {
        return report(options.globals, {Errc::invalid, "say who decides: --by NAME", {}});
    }
    store::TaskAction action;
    action.kind = options.kind;
    action.by = options.by;
    action.reason = options.reason;
    action.to = options.to;
    if (!options.data.empty()) {
        auto data = read_json(options.data);
        if (!data) return report(options.globals, data.error());
        action.data = std::move(*data);
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return act(pool, tenant, options, *id, action);
    });
}

}  // namespace pawl::cli
