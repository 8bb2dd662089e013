#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/jobs/job_uses.hpp"
#include "app/views/job_json.hpp"

#include <algorithm>
#include <array>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;

Uuid job_param(const Call& call) {
    const auto id = parse_uuid(call.params.at(0));
    if (!id) throw Refused(to_problem(app::no_job(call.params.at(0))));
    return *id;
}

std::string status_param(const Call& call) {
    std::string text = text_param(call, "status");
    constexpr std::array<std::string_view, 7> known{
        "", "queued", "running", "paused", "done", "failed", "cancelled"};
    if (std::find(known.begin(), known.end(), text) != known.end()) return text;
    refuse_parameter("status", "must be queued, running, paused, done, failed or cancelled");
}

asio::awaitable<http::ServerResponse> list_jobs(app::JobUses& uses, Call call) {
    only_params(call, {"status", "limit", "cursor"});
    store::JobFilter filter;
    filter.status = status_param(call);
    if (const auto cursor = time_cursor_of(call)) {
        filter.at = cursor->at;
        filter.id = cursor->id;
    }
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto jobs = co_await uses.jobs.list(call.principal.tenant, filter);
    std::optional<std::string> next;
    if (cut_to(jobs, limit)) next = time_cursor(jobs.back().created_at, jobs.back().id);
    co_return page_response(jobs, next, [](const auto& job) { return app::to_json(job); });
}

template <auto verb>
asio::awaitable<http::ServerResponse> on_job(app::JobUses& uses, Call call) {
    only_params(call, {});
    const auto job = or_refuse(co_await verb(uses, call.principal.tenant, job_param(call)));
    co_return json_response(200, app::to_json(job));
}

asio::awaitable<http::ServerResponse> cancel(app::JobUses& uses, Call call) {
    only_params(call, {});
    const Uuid id = job_param(call);
    CallBody body(call, true);
    const std::string by = acting_for(call, body.person("by", name_max));
    body.finish();
    const auto job = or_refuse(co_await app::cancel_job(uses, call.principal.tenant, id, by));
    co_return json_response(200, app::to_json(job));
}

}  // namespace

void add_job_routes(Router& router, app::JobUses& uses) {
    const auto read = Scope::runs_read;
    const std::string one = "/v1/jobs/{id}";
    router.add({"GET", "/v1/jobs", read, bound(uses, list_jobs), {}});
    router.add({"GET", one, read, bound(uses, on_job<app::find_job>), {}});
    router.add({"POST", one + "/pause", Scope::runs_write, bound(uses, on_job<app::pause_job>), {}}
    );
    router.add(
        {"POST", one + "/resume", Scope::runs_write, bound(uses, on_job<app::resume_job>), {}}
    );
    router.add({"POST", one + "/cancel", Scope::runs_write, bound(uses, cancel), {}});
}

}  // namespace pawl::api
