#include "cli/commands/job_watch.hpp"
#include "cli/commands/list_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct JobsListOptions {
    Globals globals;
    std::string status;  // empty: all
    int limit = 50;
};

struct JobOptions {
    Globals globals;
    std::string id;
    std::string by;  // who cancels it
};

Color color_of(const json::value& job) {
    const std::string status = member(job, "status");
    if (status == "failed" || number_member(job, "failed") > 0) return Color::red;
    return status == "done" ? Color::green : Color::yellow;
}

TableRow row_of(const json::value& job) {
    const std::string workflow = member(job, "workflow");
    const auto failed = number_member(job, "failed");
    return {
        member(job, "id"),
        job_action(job),
        workflow.empty() ? "-" : workflow,
        Cell(member(job, "status"), color_of(job)),
        fmt::format("{} of {}", number_member(job, "done") + failed, number_member(job, "total")),
        std::to_string(failed),
        human_time_member(job, "created_at")};
}

asio::awaitable<int> list(Door& door, const JobsListOptions& options) {
    return print_list(
        door,
        options.globals,
        {"GET", {"jobs"}, {{"status", options.status}}},
        static_cast<std::size_t>(options.limit),
        {{"JOB", "ACTION", "WORKFLOW", "STATUS", "DONE", "FAILED", "CREATED (UTC)"},
         row_of,
         options.status.empty() ? "no jobs; pawl runs bulk makes one" : "no jobs"}
    );
}

Error explained(Error error, const std::string& id) {
    if (error.code != Errc::not_found) return std::move(error).with("job", id);
    error.message = fmt::format("there is no job '{}'", id);
    return std::move(error).with("next", "pawl jobs list");
}

asio::awaitable<int> call(Door& door, const JobOptions& options, Ask ask) {
    const auto job = co_await door.call(std::move(ask));
    if (!job) co_return report(options.globals, explained(job.error(), options.id));
    print_job(options.globals, *job);
    co_return exit_ok;
}

asio::awaitable<int> show(Door& door, const JobOptions& options) {
    return call(door, options, {"GET", {"jobs", options.id}});
}

asio::awaitable<int> cancel(Door& door, const JobOptions& options) {
    json::object body{{"by", options.by}};
    return call(door, options, {"POST", {"jobs", options.id, "cancel"}, {}, std::move(body)});
}

asio::awaitable<int> pause(Door& door, const JobOptions& options) {
    return call(door, options, {"POST", {"jobs", options.id, "pause"}});
}

asio::awaitable<int> resume(Door& door, const JobOptions& options) {
    return call(door, options, {"POST", {"jobs", options.id, "resume"}});
}

asio::awaitable<int> watch(Door& door, const JobOptions& options) {
    auto job = co_await door.call({"GET", {"jobs", options.id}});
    if (!job) co_return report(options.globals, explained(job.error(), options.id));
    job = co_await watch_job(door, options.globals, std::move(*job));
    if (!job) co_return report(options.globals, job.error());
    co_return print_job(options.globals, *job);
}

int run_jobs_list(const JobsListOptions& options) {
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

template <asio::awaitable<int> (*act)(Door&, const JobOptions&)>
int run_job(const JobOptions& options) {
    if (auto fine = check_text("--by", options.by, 200); !fine) {
        return report(options.globals, fine.error());
    }
    return with_door(options.globals, [&](Door& door) { return act(door, options); });
}

void add_jobs_list(App& app, JobsListOptions& options) {
    add_word(
        app,
        "--status",
        options.status,
        {"queued", "running", "paused", "done", "failed", "cancelled"},
        "Only in this state"
    );
    add_limit(app, options.limit);
}

void add_job(App& app, JobOptions& options) {
    add_argument(app, "ID", options.id, "The job");
}

void add_jobs_cancel(App& app, JobOptions& options) {
    add_job(app, options);
    add_by(app, options.by);
}

const RegisterGroup jobs_group(
    "jobs", 120, "Background work of servers: bulk, migrate, replay, audiences"
);

const RegisterCommand<run_jobs_list, add_jobs_list> jobs_list_command(
    {"jobs list", 10, "List jobs, newest first"}, {{"pawl jobs list --status running"}}
);

const RegisterCommand<run_job<show>, add_job> jobs_show_command(
    {"jobs show", 20, "The progress of a job, and what it could not do"},
    {{"pawl jobs show ID -o json"}}
);

const RegisterCommand<run_job<watch>, add_job> jobs_watch_command(
    {"jobs watch", 30, "Follow a job until it is over"},
    {{"pawl jobs watch ID", "exit code 8 when something could not be done"}}
);

const RegisterCommand<run_job<pause>, add_job> jobs_pause_command(
    {"jobs pause", 35, "Pause a job: it starts no more runs for now"}, {{"pawl jobs pause ID"}}
);

const RegisterCommand<run_job<resume>, add_job> jobs_resume_command(
    {"jobs resume", 36, "Continue a paused job"}, {{"pawl jobs resume ID"}}
);

const RegisterCommand<run_job<cancel>, add_jobs_cancel> jobs_cancel_command(
    {"jobs cancel", 40, "Stop a job; what it has done stays done"},
    {{"pawl jobs cancel ID", "what it did stays done"}}
);

}  // namespace

}  // namespace pawl::cli
