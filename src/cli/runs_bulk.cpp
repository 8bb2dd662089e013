#include "base/fresh_id.hpp"
#include "cli/bulk_request.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/names.hpp"
#include "store/jobs.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

using namespace std::chrono_literals;

constexpr int sample_size = 10;
constexpr auto server_is_late = 15s;

void print_preview(
    const RunsBulkOptions& options, const store::RunCount& count, std::string_view action
) {
    json::array sample;
    for (const RunId& run : count.sample) sample.emplace_back(to_string(run));
    if (options.globals.machine()) {
        const json::object document{
            {"dry_run", true},
            {"action", action},
            {"total", count.total},
            {"complete", count.complete},
            {"sample", std::move(sample)}};
        return print_json(options.globals, document);
    }
    for (const json::value& run : sample) print_line(run.get_string());
    say(options.globals,
        fmt::format(
            "{}{} runs match; nothing was changed", count.complete ? "" : "more than ", count.total
        ));
}

json::object view_of(const store::Job& job) {
    return {
        {"id", to_string(job.id)},
        {"status", job.status},
        {"total", job.total},
        {"done", job.done},
        {"failed", job.failed},
        {"examples", job.examples}};
}

int print_job(const Globals& globals, const store::Job& job) {
    if (globals.machine()) {
        print_json(globals, view_of(job));
    } else {
        print_line(to_string(job.id));
        say(globals,
            fmt::format(
                "{}: {} done, {} failed, of {}", job.status, job.done, job.failed, job.total
            ));
        for (const json::value& one : job.examples.get_array()) {
            say(globals, fmt::format("  {}: {}", text_in(one, "run"), text_in(one, "problem")));
        }
    }
    return job.is_over() && job.failed > 0 ? info(Errc::conflict).exit_code : exit_ok;
}

// The job is a server's; here it is only watched.
asio::awaitable<store::Job> watched(store::Jobs& jobs, const Globals& globals, store::Job job) {
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

asio::awaitable<int> bulk(
    pg::Pool& pool, store::Tenant tenant, const RunsBulkOptions& options, BulkRequest request
) {
    store::PgStore store(pool);
    store::Jobs jobs(pool);
    if (!request.filter.workflow.empty()) {
        const auto workflow = co_await store.find_workflow(tenant.id, request.filter.workflow);
        if (!workflow) {
            const Error unknown =
                co_await unknown_workflow(store, tenant.id, request.filter.workflow);
            co_return report(options.globals, unknown);
        }
    }
    const auto count = co_await jobs.count_runs(
        tenant, request.filter, request.action.action == "retry", sample_size, store::bulk_limit_max
    );
    if (options.dry_run) {
        print_preview(options, count, request.action.action);
        co_return exit_ok;
    }
    if (!count.complete || count.total > request.action.limit) {
        const std::string what = fmt::format(
            "{}{} runs match, and the limit is {}: narrow it down, or raise --limit",
            count.complete ? "" : "more than ",
            count.total,
            request.action.limit
        );
        co_return report(options.globals, {Errc::invalid, what, {}});
    }
    auto job = co_await jobs.create_bulk(
        fresh_id(), tenant.id, request.filter, store::to_request(request.action), count.total
    );
    if (!options.no_wait) job = co_await watched(jobs, options.globals, std::move(job));
    co_return print_job(options.globals, job);
}

}  // namespace

int run_runs_bulk(const RunsBulkOptions& options) {
    auto request = read_bulk(options);
    if (!request) return report(options.globals, request.error());
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return bulk(pool, tenant, options, *request);
    });
}

}  // namespace pawl::cli
