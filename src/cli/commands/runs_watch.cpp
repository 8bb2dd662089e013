#include "cli/commands/registry.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/step_picture.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct RunsWatchOptions {
    Globals globals;
    std::string id;
};

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

int run_runs_watch(const RunsWatchOptions& options) {
    return with_run(options.globals, options.id, [&](Door& door, std::string id) {
        return watch(door, options.globals, std::move(id));
    });
}

const RegisterCommand<RunsWatchOptions> runs_watch_command({
    .words = "runs watch",
    .order = 60,
    .what = "Follow a run until it has ended",
    .examples = {{"pawl runs watch ID", "exit code 5 when it did not complete"}},
    .add = [](App& app, RunsWatchOptions& options) { add_run_id(app, options.id); },
    .run = run_runs_watch,
});

}  // namespace

}  // namespace pawl::cli
