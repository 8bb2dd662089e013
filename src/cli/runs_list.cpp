#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/names.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

TableRow row_of(const store::RunSummary& run) {
    std::string took;
    if (run.closed_at) took = human_duration(*run.closed_at - run.started_at);
    return {
        to_string(run.id),
        run.workflow,
        Cell(run.status, status_color(run.status)),
        human_time(run.started_at),
        took,
        shorten(run.subject, 30),
        shorten(error_line(run.error), 60)};
}

void print_runs(const RunsListOptions& options, const store::RunPage& page) {
    const Globals& globals = options.globals;
    if (globals.machine()) {
        json::array list;
        for (const auto& run : page.runs) list.push_back(to_json(run));
        return print_json_list(globals, list);
    }
    if (page.runs.empty() && !page.next) return say(globals, "no runs");
    std::vector<TableRow> rows;
    rows.reserve(page.runs.size());
    for (const auto& run : page.runs) rows.push_back(row_of(run));
    print_table(
        globals, {"RUN", "WORKFLOW", "STATUS", "STARTED (UTC)", "TOOK", "SUBJECT", "ERROR"}, rows
    );
    if (page.next) say(globals, "older ones: --before " + to_string(*page.next));
}

asio::awaitable<int> list(
    store::PgStore& store,
    store::Tenant tenant,
    const RunsListOptions& options,
    store::RunFilter filter
) {
    const auto page = co_await store.list_runs(tenant, filter);
    // A misspelt name should not look like a workflow without runs.
    if (page.runs.empty() && !filter.workflow.empty()) {
        const auto workflow = co_await store.find_workflow(tenant.id, filter.workflow);
        if (!workflow) {
            const Error unknown = co_await unknown_workflow(store, tenant.id, filter.workflow);
            co_return report(options.globals, unknown);
        }
    }
    print_runs(options, page);
    co_return exit_ok;
}

}  // namespace

int run_runs_list(const RunsListOptions& options) {
    store::RunFilter filter;
    filter.workflow = options.workflow;
    if (!options.status.empty()) filter.status = {options.status};
    filter.subject = options.subject;
    filter.limit = options.limit;
    if (!options.before.empty()) {
        const auto before = read_run_id(options.before);
        if (!before) return report(options.globals, before.error());
        filter.before = *before;
    }
    if (auto fine = check_text("--workflow", options.workflow, 200); !fine) {
        return report(options.globals, fine.error());
    }
    if (auto fine = check_text("--subject", options.subject, 500); !fine) {
        return report(options.globals, fine.error());
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return list(store, tenant, options, filter);
    });
}

}  // namespace pawl::cli
