#include "cli/job_watch.hpp"

#include "api/shapes.hpp"
#include "base/json.hpp"
#include "cli/console.hpp"
#include "cli/text.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto server_is_late = 15s;

}  // namespace

std::string job_action(const store::Job& job) {
    if (job.kind == "replay") return job.kind;
    const std::string action(text_in(job.request, "action"));
    const json::value* dry_run = find(job.request, "dry_run");
    const bool only_says = dry_run != nullptr && dry_run->is_bool() && dry_run->get_bool();
    return action == "migrate" && only_says ? "impact" : action;
}

int print_job(const Globals& globals, const store::Job& job) {
    if (globals.machine()) {
        print_json(globals, api::to_json(job));
    } else {
        print_line(to_string(job.id));
        const std::string workflow(text_in(job.filter, "workflow"));
        say(globals,
            fmt::format(
                "{}{}: {}: {} done, {} failed, of {}",
                job_action(job),
                workflow.empty() ? "" : " of " + workflow,
                job.status,
                job.done,
                job.failed,
                job.total
            ));
        if (!job.error.empty()) say(globals, "  " + printable(job.error));
        for (const auto& [what, number] : job.counts.get_object()) {
            say(globals, fmt::format("  {}: {}", what, whole_number(&number).value_or(0)));
        }
        for (const json::value& one : job.examples.get_array()) {
            say(globals,
                fmt::format("  {}: {}", text_in(one, "run"), printable(text_in(one, "problem"))));
        }
    }
    if (job.status == "failed") return exit_error;
    const bool all_done = job.failed == 0 && job.status != "cancelled";
    return job.is_over() && !all_done ? exit_conflict : exit_ok;
}

asio::awaitable<store::Job> watch_job(store::Jobs& jobs, const Globals& globals, store::Job job) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const auto began = Steady::now();
    std::int64_t told = 0;
    bool hinted = false;
    while (!job.is_over()) {
        timer.expires_after(200ms);
        co_await timer.async_wait(asio::use_awaitable);
        auto now = co_await jobs.find(job.tenant.id, job.id);
        if (!now) co_return job;
        job = std::move(*now);
        const std::int64_t came_to = job.done + job.failed;
        if (came_to > told && !job.is_over()) {
            say(globals, fmt::format("{} of {}", came_to, job.total));
            told = came_to;
        }
        if (job.status == "queued" && !hinted && Steady::now() - began > server_is_late) {
            hinted = true;
            say(globals, "no server has taken the job yet; start one: pawl serve");
        }
    }
    co_return job;
}

}  // namespace pawl::cli
