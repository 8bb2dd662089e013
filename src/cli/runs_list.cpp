#include "base/base64url.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/door.hpp"
#include "cli/input.hpp"
#include "cli/names.hpp"
#include "cli/run_ref.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

namespace pawl::cli {

namespace {

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

void print_runs(const Globals& globals, const Page& page) {
    if (globals.machine()) return print_json_list(globals, page.items);
    if (page.items.empty() && page.next.empty()) return say(globals, "no runs");
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
         {"limit", std::to_string(options.limit)}}};
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
    print_runs(globals, page);
    co_return exit_ok;
}

}  // namespace

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
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

}  // namespace pawl::cli
