#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/step_picture.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

constexpr auto look_every = std::chrono::milliseconds(150);

int ended(const Globals& globals, const json::value& run) {
    if (globals.machine()) {
        print_json(globals, run);
    } else {
        print_line("");
        print_details(globals, details_of(run));
    }
    return member(run, "status") == "completed" ? exit_ok : info(Errc::run_failed).exit_code;
}

asio::awaitable<int> watch(Door& door, const Globals& globals, std::string id) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    StepPicture picture(globals, stdout);
    std::int64_t shown = 0;
    for (;;) {
        // The run first: once it is closed, its steps do not change any more.
        const auto run = co_await door.call({"GET", {"runs", id}});
        if (!run) co_return report(globals, Error(run.error()).with("next", "pawl runs list"));
        const auto version = number_member(*run, "version");
        if (shown != version) {
            say(globals, fmt::format("{} v{}", member(*run, "workflow"), version));
        }
        shown = version;
        if (!globals.machine()) {
            const auto steps = co_await door.call({"GET", {"runs", id, "steps"}});
            if (!steps) co_return report(globals, steps.error());
            picture.draw(value_member(*steps, "data").as_array());
        }
        if (is_closed(*run)) co_return ended(globals, *run);
        timer.expires_after(look_every);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

const RegisterCommand<run_on_run<watch>, add_run_ref> runs_watch_command(
    {"runs watch", 60, "Follow a run until it has ended"},
    {{"pawl runs watch ID", "exit code 5 when it did not complete"}}
);

}  // namespace

}  // namespace pawl::cli
