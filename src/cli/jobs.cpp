#include "store/jobs.hpp"

#include "api/shapes.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/job_watch.hpp"
#include "cli/run_view.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

using Action = JobsOptions::Action;

Error unknown_job(const std::string& id) {
    return {Errc::not_found, fmt::format("there is no job '{}'", id), {{"next", "pawl jobs list"}}};
}

Color color_of(const store::Job& job) {
    if (job.status == "failed" || job.failed > 0) return Color::red;
    return job.status == "done" ? Color::green : Color::yellow;
}

asio::awaitable<int> list(store::Jobs& jobs, store::Tenant tenant, const JobsOptions& options) {
    store::JobFilter filter;
    filter.status = options.status;
    filter.limit = options.limit;
    const auto found = co_await jobs.list(tenant.id, filter);
    json::array items;
    std::vector<TableRow> rows;
    for (const store::Job& job : found) {
        items.push_back(api::to_json(job));
        const std::string workflow(text_in(job.filter, "workflow"));
        rows.push_back(
            {to_string(job.id),
             job_action(job),
             workflow.empty() ? "-" : workflow,
             Cell(job.status, color_of(job)),
             fmt::format("{} of {}", job.done + job.failed, job.total),
             std::to_string(job.failed),
             human_time(job.created_at)}
        );
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (rows.empty()) {
        const char* none = options.status.empty() ? "no jobs; pawl runs bulk makes one" : "no jobs";
        say(options.globals, none);
        co_return exit_ok;
    }
    print_table(
        options.globals,
        {"JOB", "ACTION", "WORKFLOW", "STATUS", "DONE", "FAILED", "CREATED (UTC)"},
        rows
    );
    co_return exit_ok;
}

asio::awaitable<int> cancel(store::Jobs& jobs, store::Job job, const JobsOptions& options) {
    const auto now = co_await jobs.cancel(job.tenant.id, job.id, options.by);
    if (!now) co_return report(options.globals, unknown_job(options.id));
    if (now->status == "cancelled") {
        print_job(options.globals, *now);
        co_return exit_ok;
    }
    const std::string why = fmt::format("the job is {}: there is nothing to stop", now->status);
    co_return report(options.globals, {Errc::conflict, why, {{"job", options.id}}});
}

asio::awaitable<int> act(pg::Pool& pool, store::Tenant tenant, const JobsOptions& options) {
    store::Jobs jobs(pool);
    if (options.action == Action::list) co_return co_await list(jobs, tenant, options);
    const auto id = parse_uuid(options.id);
    std::optional<store::Job> job;
    if (id) job = co_await jobs.find(tenant.id, *id);
    if (!job) co_return report(options.globals, unknown_job(options.id));
    if (options.action == Action::cancel) co_return co_await cancel(jobs, *job, options);
    if (options.action == Action::watch) {
        *job = co_await watch_job(jobs, options.globals, std::move(*job));
    }
    const int code = print_job(options.globals, *job);
    co_return options.action == Action::watch ? code : exit_ok;
}

}  // namespace

int run_jobs(const JobsOptions& options) {
    if (auto fine = check_text("--by", options.by, 200); !fine) {
        return report(options.globals, fine.error());
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return act(pool, tenant, options);
    });
}

}  // namespace pawl::cli
