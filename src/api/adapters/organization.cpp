#include "api/query.hpp"
#include "api/routes.hpp"
#include "base/fresh_id.hpp"
#include "engine/gate.hpp"

#include <algorithm>

// Document 004: POST /functions/v1/workflow-executor-worker, called by a cron job for an
// organization. The workers find their work by themselves; this makes them look now, waits for what
// was due and says how it went.
namespace pawl::api {

namespace {

using namespace std::chrono_literals;

constexpr int batch_max = 1000;
constexpr std::size_t errors_max = 20;
constexpr Duration batch_time_max = 25s;
// Longer than a batch may take: the place is free again when a caller died with it.
constexpr Duration place_time_max = 60s;

std::string_view category_of(int status) {
    if (status == 401 || status == 403) return "AUTH";
    if (status == 429 || status == 503) return "CAPACITY";
    return status < 500 ? "VALIDATION" : "RUNTIME";
}

http::ServerResponse refused(const Problem& problem) {
    json::object body;
    body["error"] = problem.status == 500 ? "Internal server error" : problem.detail;
    body["category"] = category_of(problem.status);
    body["correlationId"] = to_string(fresh_id());
    body["status"] = problem.status;
    http::ServerResponse response = json_response(problem.status, body);
    for (const http::Header& header : problem.headers) response.headers.push_back(header);
    return response;
}

asio::awaitable<std::vector<store::BatchRun>> work_off(
    Services& services, store::Tenant tenant, std::vector<RunId> runs
) {
    const auto deadline = Steady::now() + batch_time_max;
    Steady::duration pause = 5ms;
    services.wake_workers();
    for (;;) {
        auto found = co_await services.organizations.look(tenant, runs);
        if (std::ranges::all_of(found, &store::BatchRun::is_done) || Steady::now() >= deadline) {
            co_return found;
        }
        engine::Gate gate(services.executor);
        co_await gate.wait(std::min(deadline, Steady::now() + pause));
        pause = std::min<Steady::duration>(pause * 2, 250ms);
    }
}

json::object summary(const std::vector<store::BatchRun>& runs) {
    std::int64_t done = 0;
    std::int64_t failed = 0;
    json::array errors;
    for (const auto& run : runs) {
        if (run.is_done()) ++done;
        if (run.status != "failed") continue;
        ++failed;
        if (errors.size() < errors_max) errors.emplace_back(to_string(run.run) + ": " + run.error);
    }
    json::object body;
    body["messagesProcessed"] = done;
    body["succeeded"] = done - failed;
    body["failed"] = failed;
    // Every failed run has its dead letter, written by the commit that failed it.
    body["dlqRouted"] = failed;
    body["errors"] = std::move(errors);
    return body;
}

asio::awaitable<http::ServerResponse> executor_worker(Services& services, Call call) {
    call.object(true);
    const auto tenant = tenant_of(call);
    const Uuid organization = co_await services.organizations.id_of(tenant);
    std::vector<store::BatchRun> done;
    if (co_await services.organizations.enter(tenant, place_time_max)) {
        auto runs = co_await services.organizations.to_do(tenant, batch_max);
        if (!runs.empty()) done = co_await work_off(services, tenant, std::move(runs));
        co_await services.organizations.leave(tenant, done.size());
    }
    json::object results;
    results[to_string(organization)] = summary(done);
    json::object body;
    body["success"] = true;
    body["correlationId"] = to_string(fresh_id());
    body["results"] = std::move(results);
    co_return json_response(200, body);
}

}  // namespace

void add_organization_routes(Router& router, Services& services) {
    router.add(
        {"POST",
         "/functions/v1/workflow-executor-worker",
         Scope::runs_write,
         bound(services, executor_worker),
         refused}
    );
}

}  // namespace pawl::api
