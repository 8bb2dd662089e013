#include "base/fresh_id.hpp"
#include "base/spoken.hpp"
#include "cli/bulk_request.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/job_watch.hpp"
#include "cli/names.hpp"
#include "store/jobs.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

std::string matching(std::int64_t runs) {
    return counted(static_cast<std::uint64_t>(runs), "run") + (runs == 1 ? " matches" : " match");
}

constexpr int sample_size = 10;

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
            "{}{}; nothing was changed", count.complete ? "" : "more than ", matching(count.total)
        ));
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
            "{}{}, and the limit is {}: narrow it down, or raise --limit",
            count.complete ? "" : "more than ",
            matching(count.total),
            request.action.limit
        );
        co_return report(options.globals, {Errc::invalid, what, {}});
    }
    auto job = co_await jobs.create_bulk(
        fresh_id(), tenant.id, request.filter, store::to_request(request.action), count.total
    );
    if (!options.no_wait) job = co_await watch_job(jobs, options.globals, std::move(job));
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
