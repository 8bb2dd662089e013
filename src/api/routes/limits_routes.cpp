#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/limits/limit_uses.hpp"
#include "app/views/limit_json.hpp"

namespace pawl::api {

namespace {

asio::awaitable<http::ServerResponse> list_limits(app::LimitUses& uses, Call call) {
    only_params(call, {"workflow", "limit", "cursor"});
    store::FlowLimitFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.after = cursor_of(call);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto limits = co_await uses.limits.list(tenant_of(call), filter);
    std::optional<std::string> next;
    if (cut_to(limits, limit)) next = limits.back().gate;
    co_return page_response(limits, next, [](const auto& one) { return app::to_json(one); });
}

asio::awaitable<http::ServerResponse> set(app::LimitUses& uses, Call call) {
    CallBody body(call);
    store::FlowLimitName name;
    name.workflow = body.text("workflow", 200).value_or("");
    name.name = body.text("name", 100).value_or("");
    name.key = body.text("key", 200).value_or("");
    const auto limit = body.whole("limit", 0, 1'000'000);
    if (name.name.empty() || name.name.find('/') != std::string::npos) {
        body.wrong("name", "is required: the name of the limit, without a slash");
    }
    if (!body.members().contains("limit")) {
        body.wrong("limit", "is required; null takes back what was set");
    }
    body.finish();
    std::optional<std::int32_t> number;
    if (limit) number = static_cast<std::int32_t>(*limit);
    or_refuse(co_await app::set_limit(uses, tenant_of(call), name, number));
    co_return json_response(200, app::to_json(name, number));
}

}  // namespace

void add_limit_routes(Router& router, app::LimitUses& uses) {
    router.add({"GET", "/v1/limits", Scope::runs_read, bound(uses, list_limits), {}});
    router.add({"POST", "/v1/limits", Scope::workflows_write, bound(uses, set), {}});
}

}  // namespace pawl::api
