#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "store/repos/limit_names.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

json::value number_or_null(std::optional<std::int32_t> number) {
    return number ? json::value(*number) : json::value();
}

asio::awaitable<http::ServerResponse> list_limits(Services& services, Call call) {
    only_params(call, {"workflow", "limit", "cursor"});
    store::FlowLimitFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.after = cursor_of(call);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto limits = co_await services.limits.list(tenant_of(call), filter);
    std::optional<std::string> next;
    if (limits.size() > static_cast<std::size_t>(limit)) {
        limits.resize(static_cast<std::size_t>(limit));
        next = limits.back().gate;
    }
    json::array data;
    for (const auto& one : limits) data.push_back(to_json(one));
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> set_limit(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    store::FlowLimitName name;
    name.workflow = body.text("workflow", 200).value_or("");
    name.name = body.text("name", 100).value_or("");
    name.key = body.text("key", 200).value_or("");
    const auto limit = body.whole("limit", 0, 1'000'000);
    if (name.name.empty() || name.name.find('/') != std::string::npos) {
        body.wrong("name", "is required: the name of the limit, without a slash");
    }
    if (!object.contains("limit")) {
        body.wrong("limit", "is required; null takes back what was set");
    }
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    std::optional<std::int32_t> number;
    if (limit) number = static_cast<std::int32_t>(*limit);
    const store::Tenant tenant = tenant_of(call);
    if (!name.workflow.empty() &&
        !co_await services.store.find_workflow(tenant.id, name.workflow)) {
        refuse_not_found(fmt::format("there is no workflow '{}'", name.workflow));
    }
    if (number) {
        auto problem = co_await store::limit_problem(services.store, services.limits, tenant, name);
        if (!problem.empty()) refuse_not_found(std::move(problem));
    }
    co_await services.limits.set(tenant, name, number);
    services.wake_workers();
    json::object out;
    out["workflow"] = text_or_null(name.workflow);
    out["name"] = name.name;
    out["key"] = text_or_null(name.key);
    out["limit"] = number_or_null(number);
    co_return json_response(200, out);
}

}  // namespace

json::object to_json(const store::FlowLimit& limit) {
    json::object out;
    out["scope"] = limit.scope;
    out["workflow"] = text_or_null(limit.workflow);
    out["name"] = limit.name;
    out["key"] = text_or_null(limit.key);
    out["limit"] = limit.limit;
    out["defined"] = number_or_null(limit.defined);
    out["set"] = number_or_null(limit.set);
    out["running"] = limit.running;
    out["waiting"] = limit.waiting;
    return out;
}

void add_limit_routes(Router& router, Services& services) {
    router.add({"GET", "/v1/limits", Scope::runs_read, bound(services, list_limits), {}});
    router.add({"POST", "/v1/limits", Scope::workflows_write, bound(services, set_limit), {}});
}

}  // namespace pawl::api
