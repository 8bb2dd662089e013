#include "cli/commands/job_watch.hpp"

#include "base/clock.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto server_is_late = 15s;

bool is_over(const json::value& job) {
    const std::string_view status = text_in(job, "status");
    return status != "queued" && status != "running" && status != "paused";
}

}  // namespace

std::string job_action(const json::value& job) {
    if (member(job, "kind") == "replay") return "replay";
    const std::string action = member(job, "action");
    const json::value& dry_run = value_member(job, "dry_run");
    const bool only_says = dry_run.is_bool() && dry_run.get_bool();
    return action == "migrate" && only_says ? "impact" : action;
}

int print_job(const Globals& globals, const json::value& job) {
    const std::string status = member(job, "status");
    const auto failed = number_member(job, "failed");
    if (globals.machine()) {
        print_json(globals, job);
    } else {
        print_line(member(job, "id"));
        const std::string workflow = member(job, "workflow");
        say(globals,
            fmt::format(
                "{}{}: {}: {} done, {} failed, of {}",
                job_action(job),
                workflow.empty() ? "" : " of " + workflow,
                status,
                number_member(job, "done"),
                failed,
                number_member(job, "total")
            ));
        const std::string error = member(job, "error");
        if (!error.empty()) say(globals, "  " + printable(error));
        for (const auto& [what, number] : value_member(job, "counts").as_object()) {
            say(globals,
                fmt::format("  {}: {}", std::string_view(what), whole_number(&number).value_or(0)));
        }
        for (const json::value& one : value_member(job, "examples").as_array()) {
            const std::string which(
                text_in(one, one.as_object().contains("run") ? "run" : "subject")
            );
            say(globals,
                fmt::format("  {}: {}", printable(which), printable(text_in(one, "problem"))));
        }
    }
    if (status == "failed") return exit_error;
    const bool all_done = failed == 0 && status != "cancelled";
    return is_over(job) && !all_done ? exit_conflict : exit_ok;
}

asio::awaitable<Result<json::value>> watch_job(
    Door& door, const Globals& globals, json::value job
) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const auto began = Steady::now();
    const std::string id = member(job, "id");
    Progress progress(globals, job_action(job));
    bool hinted = false;
    while (!is_over(job)) {
        timer.expires_after(200ms);
        co_await timer.async_wait(asio::use_awaitable);
        auto now = co_await door.call({"GET", {"jobs", id}});
        if (!now) co_return now.error();
        job = std::move(*now);
        const std::int64_t came_to = number_member(job, "done") + number_member(job, "failed");
        progress.show(came_to, number_member(job, "total"));
        const bool waits = member(job, "status") == "queued";
        if (waits && !hinted && Steady::now() - began > server_is_late) {
            hinted = true;
            say(globals, "no server has taken the job yet; start one: pawl serve");
        }
    }
    progress.end();
    co_return job;
}

}  // namespace pawl::cli
