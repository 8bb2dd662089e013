#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct RunsCancelOptions {
    Globals globals;
    std::string id;
    std::string reason;
    bool force = false;
};

asio::awaitable<int> cancel(Door& door, const RunsCancelOptions& options, std::string id) {
    const Globals& globals = options.globals;
    const auto run = co_await door.call({"GET", {"runs", id}});
    if (!run) co_return report(globals, Error(run.error()).with("run", id));
    if (is_closed(*run)) {
        const std::string why =
            fmt::format("the run {} has ended already: {}", id, member(*run, "status"));
        co_return report(globals, {Errc::conflict, why, {{"run", id}}});
    }
    json::object body{{"force", options.force}};
    body["reason"] = options.reason.empty() ? "cancelled on the command line" : options.reason;
    const auto asked = co_await door.call({"POST", {"runs", id, "cancel"}, {}, body});
    if (!asked) co_return report(globals, asked.error());
    if (globals.machine()) {
        print_json(globals, json::object{{"id", id}, {"cancel_requested", true}});
    } else {
        print_line(id);
        say(globals,
            options.force ? "asked it to end at once; what is under way is left alone"
                          : "asked it to stop; what is under way is waited for, then undone");
    }
    co_return exit_ok;
}

int run_runs_cancel(const RunsCancelOptions& options) {
    if (auto fine = check_text("--reason", options.reason, 1000); !fine) {
        return report(options.globals, fine.error());
    }
    return with_run(options.globals, options.id, [&](Door& door, std::string id) {
        return cancel(door, options, std::move(id));
    });
}

void add_runs_cancel(App& app, RunsCancelOptions& options) {
    add_run_id(app, options.id);
    add_run_reason(app, options.reason);
    app.add_flag("--force", options.force, "End at once: wait for nothing, undo nothing");
}

const RegisterCommand<run_runs_cancel, add_runs_cancel> runs_cancel_command(
    {"runs cancel", 70, "Ask a run to stop and to undo what it did"},
    {{"pawl runs cancel ID --reason 'order withdrawn'"}}
);

}  // namespace

}  // namespace pawl::cli
