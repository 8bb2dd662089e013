#include "cli/commands/registry.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct RunsWhyOptions {
    Globals globals;
    std::string id;
};

asio::awaitable<int> tell(Door& door, const Globals& globals, std::string id) {
    const auto why = co_await door.call({"GET", {"runs", id, "why"}});
    if (!why) co_return report(globals, Error(why.error()).with("next", "pawl runs list"));
    if (globals.machine()) {
        print_json(globals, *why);
        co_return exit_ok;
    }
    print_line(printable(member(*why, "sentence")));
    for (const json::value& place : value_member(*why, "places").as_array()) {
        print_line("  " + printable(place.as_string()));
    }
    const std::string helps = member(*why, "what_helps");
    if (!helps.empty()) print_line("To move it, " + printable(helps));
    co_return exit_ok;
}

int run_runs_why(const RunsWhyOptions& options) {
    return with_run(options.globals, options.id, [&](Door& door, std::string id) {
        return tell(door, options.globals, std::move(id));
    });
}

const RegisterCommand<RunsWhyOptions> runs_why_command({
    .words = "runs why",
    .order = 30,
    .what = "Why a run is not moving, and what would move it",
    .examples = {{"pawl runs why ID"}},
    .add = [](App& app, RunsWhyOptions& options) { add_run_id(app, options.id); },
    .run = run_runs_why,
});

}  // namespace

}  // namespace pawl::cli
