#include "api/http/call_body.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/tenants/tenant_uses.hpp"
#include "app/views/tenant_json.hpp"

#include <limits>

namespace pawl::api {

namespace {

constexpr std::size_t name_length_max = 200;

void refuse_others(const Call& call) {
    if (call.principal.tenant == default_tenant) return;
    refuse(403, "forbidden", "only a key of the tenant 'default' sees and makes tenants");
}

app::TenantUses uses_of(Services& services) {
    return {services.app.repos().tenants, services.app.repos().keys};
}

asio::awaitable<http::ServerResponse> list_tenants(Services& services, Call call) {
    only_params(call, {});
    refuse_others(call);
    const auto tenants = co_await services.app.repos().tenants.list();
    co_return page_response(tenants, std::nullopt, [](const store::TenantDetails& tenant) {
        return app::to_json(tenant);
    });
}

// With the first key of the new tenant: without one it could only be opened from the command line.
asio::awaitable<http::ServerResponse> create(Services& services, Call call) {
    refuse_others(call);
    CallBody body(call);
    const std::string name = body.text("name", name_length_max).value_or("");
    if (const auto fine = app::check_tenant_name(name); !fine && body.places().empty()) {
        body.wrong("name", fine.error().message);
    }
    body.finish();
    app::TenantUses uses = uses_of(services);
    const auto made = or_refuse(co_await app::create_tenant(uses, name));
    app::NewKey key;
    key.name = "first key";
    key.role = "admin";
    const auto first = or_refuse(co_await app::create_key(uses, name, std::move(key)));
    json::object out = app::to_json(made);
    out["key"] = first.text;
    co_return json_response(201, out);
}

asio::awaitable<http::ServerResponse> set_limits(Services& services, Call call) {
    refuse_others(call);
    CallBody body(call);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto number = [&body](std::string_view key) -> std::optional<std::int32_t> {
        const auto given = body.whole(key, 1, most);
        if (!given) return std::nullopt;
        return static_cast<std::int32_t>(*given);
    };
    store::TenantLimits limits;
    limits.open_runs = number("open_runs_max");
    limits.starts_per_second = number("starts_per_second_max");
    limits.payload_bytes = number("payload_bytes_max");
    body.finish();
    app::TenantUses uses = uses_of(services);
    const auto changed = or_refuse(co_await app::limit_tenant(uses, call.params.at(0), limits));
    co_return json_response(200, app::to_json(changed));
}

}  // namespace

// For operators of the service: who shares it.
void add_tenant_routes(Router& router, Services& services) {
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/tenants", admin, bound(services, list_tenants), {}});
    router.add(with_secret({"POST", "/v1/tenants", admin, bound(services, create), {}}));
    router.add({"PUT", "/v1/tenants/{name}", admin, bound(services, set_limits), {}});
}

}  // namespace pawl::api
