#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

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

const RegisterCommand<run_on_run<tell>, add_run_ref> runs_why_command(
    {"runs why", 30, "Why a run is not moving, and what would move it"}, {{"pawl runs why ID"}}
);

}  // namespace

}  // namespace pawl::cli
