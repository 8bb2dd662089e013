#include "cli/commands/run_wait.hpp"

#include "cli/commands/run_view.hpp"
#include "cli/commands/step_picture.hpp"
#include "cli/terminal/console.hpp"
#include "model/duration.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace asio = boost::asio;

namespace {

constexpr Duration poll_first = std::chrono::milliseconds(20);
constexpr Duration poll_max = std::chrono::milliseconds(500);
// After this long without an end it is worth asking whether any worker is running.
constexpr Duration wonder_after = std::chrono::seconds(2);

void print_run(const Globals& globals, const json::value& run) {
    if (globals.machine()) {
        print_json(globals, run);
    } else {
        print_details(globals, details_of(run));
    }
}

int ended(const Globals& globals, const json::value& run) {
    print_run(globals, run);
    if (member(run, "status") == "completed") return exit_ok;
    Error error{
        Errc::run_failed,
        fmt::format("the run {}", member(run, "status") == "failed" ? "failed" : "was cancelled"),
        {{"run", member(run, "id")}, {"next", "pawl runs show " + member(run, "id")}}};
    return report(globals, error);
}

int out_of_time(const Globals& globals, Duration timeout, const json::value& run) {
    print_run(globals, run);
    Error error{
        Errc::timeout,
        fmt::format("the run has not ended within {}; it goes on", format_duration(timeout)),
        {{"run", member(run, "id")}, {"next", "pawl runs show " + member(run, "id")}}};
    return report(globals, error);
}

// Why nothing happens: most often there is no worker.
asio::awaitable<void> say_why(Door& door, const Globals& globals, std::string id) {
    const auto why = co_await door.call({"GET", {"runs", id, "why"}});
    if (!why) co_return;
    const std::string helps = member(*why, "what_helps");
    say(globals, member(*why, "sentence"));
    if (!helps.empty()) say(globals, "to move it, " + helps);
}

}  // namespace

asio::awaitable<int> wait_for_run(
    Door& door, const Globals& globals, Duration timeout, std::string id
) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    StepPicture picture(globals, stderr);
    const auto began = Steady::now();
    const auto deadline = began + timeout;
    Duration pause = poll_first;
    bool wondered = false;
    while (true) {
        const auto run = co_await door.call({"GET", {"runs", id}});
        if (!run) co_return report(globals, Error(run.error()).with("run", id));
        if (!globals.machine() && !globals.quiet) {
            const auto steps = co_await door.call({"GET", {"runs", id, "steps"}});
            if (steps) picture.draw(value_member(*steps, "data").as_array());
        }
        if (is_closed(*run)) co_return ended(globals, *run);
        const auto now = Steady::now();
        if (now >= deadline) co_return out_of_time(globals, timeout, *run);
        const bool idle = member(*run, "status") == "queued";
        if (!wondered && idle && now - began >= wonder_after) {
            wondered = true;
            co_await say_why(door, globals, id);
        }
        timer.expires_at(std::min<Steady::time_point>(now + pause, deadline));
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(pause * 3 / 2, poll_max);
    }
}

}  // namespace pawl::cli
