#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "api/task_actions.hpp"

#include <fmt/core.h>

#include <array>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;

[[noreturn]] void refuse_unknown_job(std::string_view id) {
    refuse_not_found(fmt::format("there is no job {}; GET /v1/jobs lists them", id.substr(0, 40)));
}

Uuid job_param(const Call& call) {
    const auto id = parse_uuid(call.params.at(0));
    if (!id) refuse_unknown_job(call.params.at(0));
    return *id;
}

std::string status_param(const Call& call) {
    std::string text = text_param(call, "status");
    constexpr std::array<std::string_view, 6> known{
        "", "queued", "running", "done", "failed", "cancelled"};
    if (std::find(known.begin(), known.end(), text) != known.end()) return text;
    refuse_parameter("status", "must be queued, running, done, failed or cancelled");
}

// "2026-...Z id" of the last one of the page before.
void read_cursor(const Call& call, store::JobFilter& filter) {
    const std::string place = cursor_of(call);
    if (place.empty()) return;
    const std::size_t space = std::min(place.find(' '), place.size());
    const auto at = parse_rfc3339(place.substr(0, space));
    const auto id = parse_uuid(std::string_view(place).substr(std::min(space + 1, place.size())));
    if (!at || !id) refuse_parameter("cursor", "is not a next_cursor of a page");
    filter.at = *at;
    filter.id = *id;
}

asio::awaitable<http::ServerResponse> list_jobs(Services& services, Call call) {
    only_params(call, {"status", "limit", "cursor"});
    store::JobFilter filter;
    filter.status = status_param(call);
    read_cursor(call, filter);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto jobs = co_await services.jobs.list(call.principal.tenant, filter);
    std::optional<std::string> next;
    if (jobs.size() > static_cast<std::size_t>(limit)) {
        jobs.resize(static_cast<std::size_t>(limit));
        next = to_rfc3339(jobs.back().created_at) + " " + to_string(jobs.back().id);
    }
    json::array data;
    for (const auto& job : jobs) data.push_back(to_json(job));
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> get_job(Services& services, Call call) {
    only_params(call, {});
    const auto job = co_await services.jobs.find(call.principal.tenant, job_param(call));
    if (!job) refuse_unknown_job(call.params.at(0));
    co_return json_response(200, to_json(*job));
}

asio::awaitable<http::ServerResponse> cancel_job(Services& services, Call call) {
    only_params(call, {});
    const Uuid id = job_param(call);
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const std::string by = acting_for(call, body.person("by", name_max));
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const auto job = co_await services.jobs.cancel(call.principal.tenant, id, by);
    if (!job) refuse_unknown_job(call.params.at(0));
    if (job->status != "cancelled") {
        refuse(
            409, "job_over", fmt::format("the job is {}: there is nothing to stop", job->status)
        );
    }
    co_return json_response(200, to_json(*job));
}

}  // namespace

void add_job_routes(Router& router, Services& services) {
    const auto read = Scope::runs_read;
    const std::string one = "/v1/jobs/{id}";
    router.add({"GET", "/v1/jobs", read, bound(services, list_jobs), {}});
    router.add({"GET", one, read, bound(services, get_job), {}});
    router.add({"POST", one + "/cancel", Scope::runs_write, bound(services, cancel_job), {}});
}

}  // namespace pawl::api
