#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/doctor/checks.hpp"

#include <charconv>

namespace pawl::api {

namespace {

constexpr Duration patience = std::chrono::minutes(5);
constexpr std::size_t queue_name_max = 63;
constexpr std::size_t target_bytes_max = 500;

// What belongs to the whole database is not for the keys of one tenant.
void refuse_tenants(const Call& call, std::string_view what) {
    if (call.principal.tenant == default_tenant) return;
    refuse(
        403, "forbidden", std::string(what) + " of all tenants: use a key of the tenant 'default'"
    );
}

http::ServerResponse list_response(std::vector<json::object> documents) {
    json::array data;
    for (json::object& one : documents) data.push_back(std::move(one));
    return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> examine(Services& services, Call call) {
    only_params(call, {});
    refuse_tenants(call, "what the doctor finds is");
    app::DoctorUses& uses = services.app.doctor;
    json::array data;
    for (const app::Finding& finding :
         co_await app::examine_database(uses.pool, uses.store, patience)) {
        data.push_back(app::to_json(finding));
    }
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> list_workers(Services& services, Call call) {
    only_params(call, {});
    refuse_tenants(call, "workers are");
    co_return list_response(co_await services.app.repos().operations.workers());
}

template <bool drain>
asio::awaitable<http::ServerResponse> steer_worker(Services& services, Call call) {
    only_params(call, {});
    refuse_tenants(call, "workers are");
    const std::string& text = call.params.at(0);
    store::Operations& operations = services.app.repos().operations;
    const auto id = parse_uuid(text);
    if (!id || !co_await operations.drain(WorkerId{*id}, drain)) {
        refuse_not_found("there is no worker '" + text + "'; GET /v1/workers lists them");
    }
    for (json::object& one : co_await operations.workers()) {
        if (one.at("id").as_string() == to_string(*id)) co_return json_response(200, one);
    }
    refuse_not_found("the worker '" + text + "' has just ended");
}

asio::awaitable<http::ServerResponse> list_queues(Services& services, Call call) {
    only_params(call, {});
    refuse_tenants(call, "queues are");
    app::Repositories& repos = services.app.repos();
    const auto health = co_await repos.store.health(call.principal.bucket);
    auto queues = co_await repos.operations.queues(call.principal.bucket);
    json::object runs;
    runs["name"] = "runs";
    runs["kind"] = "own";
    runs["length"] = health.ready;
    runs["visible"] = health.ready;
    const auto age = std::chrono::duration<double>(health.oldest_ready_age_s);
    runs["oldest_at"] =
        health.ready == 0
            ? json::value()
            : json::value(to_rfc3339(wall_now() - std::chrono::duration_cast<Duration>(age)));
    for (const char* none : {"starts", "workflow", "tenant", "dead_letter_queue", "reads_max"}) {
        runs[none] = nullptr;
    }
    queues.insert(queues.begin(), std::move(runs));
    co_return list_response(std::move(queues));
}

asio::awaitable<std::string> queue_param(Services& services, const Call& call) {
    const std::string name = call.params.at(0);
    const bool known =
        name.size() <= queue_name_max && co_await services.app.repos().operations.has_queue(name);
    if (!known) refuse_not_found("pgmq has no queue '" + name + "'; GET /v1/queues lists them");
    co_return name;
}

asio::awaitable<http::ServerResponse> peek(Services& services, Call call) {
    only_params(call, {"limit", "cursor"});
    refuse_tenants(call, "queues are");
    const std::string name = co_await queue_param(services, call);
    const std::string place = cursor_of(call);
    std::int64_t after = 0;
    const auto [end, failed] = std::from_chars(place.data(), place.data() + place.size(), after);
    if (!place.empty() && (failed != std::errc() || end != place.data() + place.size())) {
        refuse_parameter("cursor", "is not a next_cursor of a page");
    }
    const int limit = std::min(limit_of(call), 100);
    auto found = co_await services.app.repos().operations.peek(name, after, limit + 1);
    std::optional<std::string> next;
    if (cut_to(found, limit)) next = std::string(found.back().at("id").as_string());
    co_return page_response(found, next, [](const json::object& one) { return one; });
}

asio::awaitable<http::ServerResponse> purge(Services& services, Call call) {
    only_params(call, {});
    refuse_tenants(call, "queues are");
    const std::string name = co_await queue_param(services, call);
    const std::int64_t gone = co_await services.app.repos().operations.purge(name);
    co_return json_response(200, json::object{{"name", name}, {"purged", gone}});
}

asio::awaitable<http::ServerResponse> list_targets(Services& services, Call call) {
    only_params(call, {});
    co_return list_response(co_await services.app.repos().operations.circuits(call.principal.tenant)
    );
}

asio::awaitable<http::ServerResponse> close_target(Services& services, Call call) {
    CallBody body(call);
    const std::string target = body.name("target", target_bytes_max).value_or("");
    if (target.empty() && body.places().empty()) body.wrong("target", "is required: its origin");
    body.finish();
    store::Operations& operations = services.app.repos().operations;
    const auto asked = co_await operations.close_circuit(call.principal.tenant, target);
    if (asked == 0) {
        refuse_not_found("no worker leaves '" + target + "' alone; GET /v1/targets lists them");
    }
    auto found = co_await operations.circuits(call.principal.tenant, target);
    if (found.empty()) refuse_not_found("the workers that knew '" + target + "' have just ended");
    co_return json_response(200, found.front());
}

asio::awaitable<http::ServerResponse> show_source(Services& services, Call call) {
    only_params(call, {});
    const store::TenantId tenant = call.principal.tenant;
    co_return json_response(200, co_await services.app.repos().operations.person_source(tenant));
}

}  // namespace

// What operators look at: the database, its workers and queues, targets that are left alone, and
// where people are.
void add_operate_routes(Router& router, Services& services) {
    const auto state = Scope::metrics_read;
    const auto admin = Scope::admin;
    const std::string worker = "/v1/workers/{id}";
    const std::string queue = "/v1/queues/{name}";
    router.add({"GET", "/v1/doctor", state, bound(services, examine), {}});
    router.add({"GET", "/v1/workers", state, bound(services, list_workers), {}});
    router.add({"POST", worker + "/drain", admin, bound(services, steer_worker<true>), {}});
    router.add({"POST", worker + "/resume", admin, bound(services, steer_worker<false>), {}});
    router.add({"GET", "/v1/queues", state, bound(services, list_queues), {}});
    router.add({"GET", queue + "/messages", admin, bound(services, peek), {}});
    router.add({"POST", queue + "/purge", admin, bound(services, purge), {}});
    router.add({"GET", "/v1/targets", Scope::runs_read, bound(services, list_targets), {}});
    router.add({"POST", "/v1/targets/close", Scope::runs_write, bound(services, close_target), {}});
    router.add({"GET", "/v1/person-source", admin, bound(services, show_source), {}});
}

}  // namespace pawl::api
