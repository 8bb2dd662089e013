#include "cli/commands/list_view.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "store/repos/human_tasks.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

using Kind = store::TaskActionKind;

struct TasksListOptions {
    Globals globals;
    std::string state = "open";  // or any
    std::string assignee;
    std::string group;
    std::string workflow;
    std::string run;
    int limit = 50;
};

struct TasksShowOptions {
    Globals globals;
    std::string id;
};

struct TasksActOptions {
    Globals globals;
    Kind kind = Kind::approve;
    std::string id;
    std::string by;
    std::string reason;
    std::string data;  // of an approval: as edited
    std::string to;    // of a delegation
};

Result<std::string> read_task_id(const std::string& text) {
    if (const auto id = parse_uuid(text)) return to_string(*id);
    return Error{
        Errc::invalid, "'" + text + "' is not the id of a task", {{"next", "pawl tasks list"}}};
}

std::string who(const json::value& task) {
    const std::string claimed = member(task, "claimed_by");
    if (!claimed.empty()) return claimed + " (claimed)";
    std::vector<std::string> approvers;
    for (const json::value& one : value_member(task, "approvers").as_array()) {
        approvers.emplace_back(one.as_string());
    }
    if (!approvers.empty()) return fmt::format("{}", fmt::join(approvers, ", "));
    const std::string assignee = member(task, "assignee");
    if (!assignee.empty()) return assignee;
    const std::string group = member(task, "group");
    return group.empty() ? "anyone" : "group " + group;
}

// How many stand in a list of names.
std::size_t names_in(const json::value& task, std::string_view list) {
    const json::value* names = find(task, list);
    return names == nullptr || !names->is_array() ? 0 : names->get_array().size();
}

TableRow row_of(const json::value& task) {
    return {
        member(task, "id"),
        shorten(member(task, "title"), 40),
        member(task, "state"),
        shorten(who(task), 30),
        human_time_member(task, "due_at"),
        member(task, "workflow")};
}

asio::awaitable<int> list(Door& door, const TasksListOptions& options) {
    Ask ask{
        "GET",
        {"tasks"},
        {{"state", options.state == "any" ? "" : options.state},
         {"assignee", options.assignee},
         {"group", options.group},
         {"workflow", options.workflow}}};
    if (!options.run.empty()) {
        const auto run = co_await find_run_id(door, options.run);
        if (!run) co_return report(options.globals, run.error());
        ask.query.emplace_back("run", *run);
    }
    co_return co_await print_list(
        door,
        options.globals,
        std::move(ask),
        static_cast<std::size_t>(options.limit),
        {{"TASK", "TITLE", "STATE", "FOR", "DUE (UTC)", "WORKFLOW"},
         row_of,
         "no tasks",
         "decide one: pawl tasks approve ID, pawl tasks reject ID --reason TEXT",
         options.workflow}
    );
}

// "helpdesk (q7m2hcx4)" for an API key.
std::string actor(const json::value& decision) {
    const std::string by = member(decision, "by");
    const std::string key = member(decision, "by_name");
    return key.empty() ? by : fmt::format("{} ({})", key, by);
}

void print_task(const Globals& globals, const json::value& task) {
    std::vector<TableRow> rows{
        {"task", member(task, "id")},
        {"title", member(task, "title")},
        {"state", member(task, "state")},
        {"for", who(task)},
        {"run", member(task, "run_id")},
        {"step", member(task, "workflow") + " / " + member(task, "step")}};
    const std::string description = member(task, "description");
    if (!description.empty()) rows.push_back({"description", description});
    const std::string due = human_time_member(task, "due_at");
    if (!due.empty()) rows.push_back({"due", due});
    const auto needed = number_member(task, "approvals_needed");
    if (needed > 1) {
        rows.push_back({"approvals", fmt::format("{} of {}", names_in(task, "approved_by"), needed)}
        );
    }
    const auto rejections = number_member(task, "rejections_needed");
    if (rejections > 1) {
        rows.push_back(
            {"rejections", fmt::format("{} of {}", names_in(task, "rejected_by"), rejections)}
        );
    }
    std::vector<std::string> excluded;
    for (const json::value& one : value_member(task, "excluded").as_array()) {
        excluded.emplace_back(one.as_string());
    }
    if (!excluded.empty()) rows.push_back({"not", fmt::format("{}", fmt::join(excluded, ", "))});
    const std::string escalated = member(task, "escalated_to");
    if (!escalated.empty()) rows.push_back({"escalated to", escalated});
    const json::value& data = value_member(task, "data");
    if (!data.is_null()) rows.push_back({"data", compact(data)});
    print_details(globals, rows);
    print_line("");
    std::vector<TableRow> audit;
    for (const json::value& decision : value_member(task, "audit").as_array()) {
        const json::value& edited = value_member(decision, "data");
        audit.push_back(
            {human_time_member(decision, "at"),
             member(decision, "action"),
             actor(decision),
             shorten(member(decision, "reason"), 50),
             edited.is_null() ? "" : shorten(compact(edited), 50)}
        );
    }
    print_table(globals, {"AT (UTC)", "ACTION", "BY", "REASON", "DATA"}, audit);
}

Error explained(Error error) {
    if (error.code != Errc::not_found) return error;
    return std::move(error).with("next", "pawl tasks list");
}

asio::awaitable<int> show(Door& door, const Globals& globals, std::string id) {
    const auto task = co_await door.call({"GET", {"tasks", id}});
    if (!task) co_return report(globals, explained(task.error()));
    if (globals.machine()) {
        print_json(globals, *task);
    } else {
        print_task(globals, *task);
    }
    co_return exit_ok;
}

std::string outcome(const TasksActOptions& options, const json::value& task) {
    switch (options.kind) {
        case Kind::claim: return "claimed by " + member(task, "claimed_by");
        case Kind::unclaim: return "it is no longer claimed";
        case Kind::delegate: return "handed on to " + options.to;
        case Kind::approve:
        case Kind::reject: break;
    }
    const std::string state = member(task, "state");
    if (state != "open") return "the task is " + state;
    if (options.kind == Kind::reject) {
        return fmt::format(
            "rejected by {} of {}; others are asked too",
            names_in(task, "rejected_by"),
            number_member(task, "rejections_needed")
        );
    }
    return fmt::format(
        "approved by {} of {}; others are asked too",
        names_in(task, "approved_by"),
        number_member(task, "approvals_needed")
    );
}

asio::awaitable<int> act(
    Door& door, const TasksActOptions& options, std::string id, json::object body
) {
    const auto task = co_await door.call(
        {"POST", {"tasks", id, std::string(name(options.kind))}, {}, std::move(body)}
    );
    if (!task) co_return report(options.globals, explained(task.error()));
    if (options.globals.machine()) {
        print_json(options.globals, *task);
    } else {
        print_line(id);
        say(options.globals, outcome(options, *task));
    }
    co_return exit_ok;
}

int run_tasks_list(const TasksListOptions& options) {
    if (!options.run.empty()) {
        const auto fine = check_run_ref(options.run);
        if (!fine) return report(options.globals, fine.error());
    }
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

int run_tasks_show(const TasksShowOptions& options) {
    const auto id = read_task_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_door(options.globals, [&](Door& door) { return show(door, options.globals, *id); });
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
    json::object body{{"by", options.by}};
    if (!options.reason.empty()) body["reason"] = options.reason;
    if (!options.to.empty()) body["to"] = options.to;
    if (!options.data.empty()) {
        auto data = read_json(options.data);
        if (!data) return report(options.globals, data.error());
        body["data"] = std::move(*data);
    }
    return with_door(options.globals, [&](Door& door) { return act(door, options, *id, body); });
}

void add_tasks_list(App& app, TasksListOptions& options) {
    add_word(
        app,
        "--state",
        options.state,
        {"open", "approved", "rejected", "timed_out", "withdrawn", "any"},
        "In this state [open]"
    );
    app.add_option("--assignee", options.assignee, "Only for them")->type_name("NAME");
    app.add_option("--group", options.group, "Only for this group")->type_name("NAME");
    add_workflow_filter(app, options.workflow);
    app.add_option("--run", options.run, "Only of this run")->type_name("ID");
    add_limit(app, options.limit);
}

void add_task_id(App& app, std::string& id) {
    add_argument(app, "ID", id, "The task");
}

void add_tasks_show(App& app, TasksShowOptions& options) {
    add_task_id(app, options.id);
}

Option* add_decision(App& app, TasksActOptions& options) {
    add_task_id(app, options.id);
    add_by(app, options.by, "Who decides [$USER]");
    return app.add_option("--reason", options.reason, "Kept with the decision")->type_name("TEXT");
}

template <Kind kind>
void add_tasks_act(App& app, TasksActOptions& options) {
    options.kind = kind;
    add_decision(app, options);
}

void add_tasks_approve(App& app, TasksActOptions& options) {
    add_tasks_act<Kind::approve>(app, options);
    add_json(app, "--data", options.data, "As edited: JSON, @file, or - for stdin");
}

void add_tasks_reject(App& app, TasksActOptions& options) {
    options.kind = Kind::reject;
    add_decision(app, options)->required();
}

void add_tasks_delegate(App& app, TasksActOptions& options) {
    add_tasks_act<Kind::delegate>(app, options);
    app.add_option("--to", options.to, "Who decides instead")->required()->type_name("NAME");
}

const RegisterGroup tasks_group("tasks", 80, "What people are asked to decide");

const RegisterCommand<run_tasks_list, add_tasks_list> tasks_list_command(
    {"tasks list", 10, "Tasks, open ones unless told otherwise, newest first"},
    {{"pawl tasks list --assignee ann"}, {"pawl tasks list --state any --workflow refund -o jsonl"}}
);

const RegisterCommand<run_tasks_show, add_tasks_show> tasks_show_command(
    {"tasks show", 20, "One task and what was done about it"}, {{"pawl tasks show ID"}}
);

const RegisterCommand<run_tasks_act, add_tasks_act<Kind::claim>> tasks_claim_command(
    {"tasks claim", 30, "Claim a task, so that others cannot decide it"},
    {{"pawl tasks claim ID --by ann"}}
);

const RegisterCommand<run_tasks_act, add_tasks_act<Kind::unclaim>> tasks_unclaim_command(
    {"tasks unclaim", 40, "Give up a claim, so that others can decide again"},
    {{"pawl tasks unclaim ID --by ann"}}
);

const RegisterCommand<run_tasks_act, add_tasks_approve> tasks_approve_command(
    {"tasks approve", 50, "Approve a task"},
    {{"pawl tasks approve ID --by ann"},
     {"pawl tasks approve ID --by ann --data '{\"amount\": 80}'", "as edited"}}
);

const RegisterCommand<run_tasks_act, add_tasks_reject> tasks_reject_command(
    {"tasks reject", 60, "Reject a task"}, {{"pawl tasks reject ID --by ann --reason 'too much'"}}
);

const RegisterCommand<run_tasks_act, add_tasks_delegate> tasks_delegate_command(
    {"tasks delegate", 70, "Let another person decide"},
    {{"pawl tasks delegate ID --by ann --to bob"}}
);

}  // namespace

}  // namespace pawl::cli
