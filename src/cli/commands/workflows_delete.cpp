#include "cli/commands/job_watch.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct WorkflowsDeleteOptions {
    Globals globals;
    std::string name;
    bool force = false;        // open runs go to their end
    bool cancel_runs = false;  // or are cancelled
    bool no_wait = false;
};

std::string counted(std::int64_t number, const char* one, const char* many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

void tell(const Globals& globals, const json::value& gone) {
    if (globals.machine()) return print_json(globals, gone);
    print_line(member(gone, "name"));
    say(globals,
        fmt::format(
            "deleted, at v{}, with {} and {}; versions and runs are kept",
            number_member(gone, "version"),
            counted(number_member(gone, "schedules"), "schedule", "schedules"),
            counted(
                number_member(gone, "events"), "event that started it", "events that started it"
            )
        ));
    const auto open = number_member(gone, "open_runs");
    if (open > 0 && value_member(gone, "job").is_null()) {
        say(globals, counted(open, "open run goes", "open runs go") + " on to the end");
    }
}

asio::awaitable<int> remove(Door& door, const WorkflowsDeleteOptions& options) {
    const Globals& globals = options.globals;
    if (const auto unknown = co_await misspelt_workflow(door, options.name)) {
        co_return report(globals, *unknown);
    }
    const char* open = options.force ? "finish" : options.cancel_runs ? "cancel" : "";
    const auto gone =
        co_await door.call({"DELETE", {"workflows", options.name}, {{"open_runs", open}}});
    if (!gone) {
        Error error = gone.error();
        if (error.code == Errc::conflict) {
            error = std::move(error).with("next", "say --force, or --cancel-runs");
        }
        co_return report(globals, error);
    }
    tell(globals, *gone);
    const json::value& job = value_member(*gone, "job");
    if (job.is_null() || options.no_wait) co_return exit_ok;
    const auto over = co_await watch_job(door, globals, job);
    if (!over) co_return report(globals, over.error());
    co_return globals.machine() ? exit_ok : print_job(globals, *over);
}

int run_workflows_delete(const WorkflowsDeleteOptions& options) {
    return with_door(options.globals, [&](Door& door) { return remove(door, options); });
}

void add_workflows_delete(App& app, WorkflowsDeleteOptions& options) {
    add_workflow_name(app, options.name);
    auto* force = app.add_flag("--force", options.force, "Let open runs continue to their end");
    app.add_flag("--cancel-runs", options.cancel_runs, "Cancel open runs, as a job")
        ->excludes(force);
    app.add_flag("--no-wait", options.no_wait, "Do not wait for the end of that job");
}

const RegisterCommand<run_workflows_delete, add_workflows_delete> workflows_delete_command(
    {"workflows delete", 60, "Delete a workflow; its runs and versions stay"},
    {{"pawl workflows delete hello"},
     {"pawl workflows delete order --cancel-runs", "refused with open runs else"}}
);

}  // namespace

}  // namespace pawl::cli
