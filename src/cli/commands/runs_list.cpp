#include "base/base64url.hpp"
#include "base/spoken.hpp"
#include "cli/commands/bulk_request.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct RunsListOptions {
    Globals globals;
    std::string workflow;
    std::string status;
    std::string subject;
    std::string error;
    std::vector<std::string> where;
    int limit = 50;
    std::string before;
};

TableRow row_of(const json::value& run) {
    const auto began = time_member(run, "created_at");
    const auto ended = time_member(run, "closed_at");
    const std::string status = member(run, "status");
    return {
        member(run, "id"),
        member(run, "workflow"),
        Cell(shorten(status_line(run), 40), status_color(status)),
        human_time_member(run, "created_at"),
        began && ended ? human_duration(*ended - *began) : "",
        shorten(member(run, "subject"), 30),
        shorten(error_line(value_member(run, "error")), 60)};
}

void print_runs(const Globals& globals, const Page& page, std::int64_t scanned) {
    if (globals.machine()) return print_json_list(globals, page.items);
    if (page.items.empty() && page.next.empty()) return say(globals, "no runs");
    if (scanned > 0 && !page.next.empty()) {
        say(globals, counted(static_cast<std::uint64_t>(scanned), "run") + " looked through");
    }
    std::vector<TableRow> rows;
    for (const json::value& run : page.items) rows.push_back(row_of(run));
    print_table(
        globals, {"RUN", "WORKFLOW", "STATUS", "STARTED (UTC)", "TOOK", "SUBJECT", "ERROR"}, rows
    );
    if (page.next.empty()) return;
    // The cursor of a list of runs is the id of one.
    say(globals, "older ones: --before " + from_base64url(page.next).value_or(page.next));
}

asio::awaitable<int> list(Door& door, const RunsListOptions& options) {
    const Globals& globals = options.globals;
    Ask ask{
        "GET",
        {"runs"},
        {{"workflow", options.workflow},
         {"status", options.status},
         {"subject", options.subject},
         {"error", options.error},
         {"limit", std::to_string(options.limit)}}};
    for (const std::string& condition : options.where) ask.query.emplace_back("where", condition);
    if (!options.before.empty()) {
        const auto before = co_await find_run_id(door, options.before);
        if (!before) co_return report(globals, before.error());
        ask.query.emplace_back("cursor", to_base64url(*before));
    }
    auto answer = co_await door.call(std::move(ask));
    if (!answer) co_return report(globals, answer.error());
    Page page{value_member(*answer, "data").as_array(), member(*answer, "next_cursor")};
    // A misspelt name should not look like a workflow without runs.
    if (page.items.empty()) {
        const auto unknown = co_await misspelt_workflow(door, options.workflow);
        if (unknown) co_return report(globals, *unknown);
    }
    print_runs(globals, page, number_member(*answer, "scanned"));
    co_return exit_ok;
}

int run_runs_list(const RunsListOptions& options) {
    if (!options.before.empty()) {
        const auto fine = check_run_ref(options.before);
        if (!fine) return report(options.globals, fine.error());
    }
    if (auto fine = check_text("--workflow", options.workflow, 200); !fine) {
        return report(options.globals, fine.error());
    }
    if (auto fine = check_text("--subject", options.subject, 500); !fine) {
        return report(options.globals, fine.error());
    }
    if (auto fine = check_text("--error", options.error, 500); !fine) {
        return report(options.globals, fine.error());
    }
    if (const auto wrong = check_where(options.where)) return report(options.globals, *wrong);
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

void add_runs_list(App& app, RunsListOptions& options) {
    add_workflow_filter(app, options.workflow);
    add_word(
        app,
        "--status",
        options.status,
        {"queued", "waiting", "running", "completed", "failed", "cancelled"},
        "Only in this state"
    );
    app.add_option("--subject", options.subject, "Only about this subject")->type_name("TEXT");
    add_run_search(app, options.error, options.where);
    add_limit(app, options.limit);
    app.add_option("--before", options.before, "Only older than this run")->type_name("ID");
}

const RegisterGroup runs_group("runs", 60, "Look at runs, signal them, cancel them");

const RegisterCommand<run_runs_list, add_runs_list> runs_list_command(
    {"runs list", 10, "List runs, newest first"},
    {{"pawl runs list --workflow hello --status failed"},
     {"pawl runs list --error timeout --where 'data.total>100'"},
     {"pawl runs list --limit 500 -o jsonl | jq .id"}}
);

}  // namespace

}  // namespace pawl::cli
