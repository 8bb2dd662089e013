#include "api/auth/roles.hpp"
#include "api/http/call_body.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/tenants/auth_key.hpp"
#include "app/tenants/tenant_uses.hpp"
#include "app/views/json_parts.hpp"
#include "app/views/tenant_json.hpp"
#include "model/duration.hpp"
#include "steps/storable_text.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t subject_bytes_max = 320;
constexpr std::size_t name_length_max = 200;

asio::awaitable<http::ServerResponse> list_keys(Services& services, Call call) {
    only_params(call, {});
    store::ApiKeys& keys = services.app.repos().keys;
    const auto tenant = co_await keys.tenant_now(call.principal.tenant);
    const auto found = co_await keys.list(tenant.tenant.id);
    co_return page_response(found, std::nullopt, [&](const store::ApiKey& key) {
        return app::to_json(key, tenant.now);
    });
}

// What a key may do: a role, scopes, or both. A caller cannot give more than it has, and has all.
void read_rights(Body& body, app::NewKey& key) {
    if (const auto role = body.text("role", 40)) {
        const auto known = parse_role(*role);
        if (!known) body.wrong("role", known.error().message);
        key.role = *role;
    }
    if (const json::array* scopes = body.array("scopes")) {
        for (const json::value& scope : *scopes) {
            const auto known = parse_scope(
                scope.is_string() ? std::string_view(scope.get_string()) : std::string_view()
            );
            if (known) {
                key.scopes.emplace_back(name(*known));
            } else {
                body.wrong("scopes", known.error().message);
            }
        }
    }
    if (key.role.empty() && key.scopes.empty() && body.places().empty()) {
        body.wrong("role", "is required, or scopes: what the key may do");
    }
}

asio::awaitable<http::ServerResponse> create_key(Services& services, Call call) {
    CallBody body(call);
    app::NewKey key;
    key.name = body.text("name", name_length_max).value_or("");
    if (key.name.empty() && body.places().empty()) body.wrong("name", "is required");
    read_rights(body, key);
    if (const auto text = body.text("expires_in", 40)) {
        const auto life = parse_duration(*text);
        if (!life || *life <= Duration::zero()) {
            body.wrong("expires_in", life ? "must be longer than zero" : life.error().message);
        } else {
            key.expires = *life;
        }
    }
    body.finish();
    store::ApiKeys& keys = services.app.repos().keys;
    const auto tenant = co_await keys.tenant_now(call.principal.tenant);
    const auto made = or_refuse(co_await app::create_key(keys, tenant, std::move(key)));
    json::object out = app::to_json(made.key, made.now);
    out["key"] = made.text;
    co_return json_response(201, out);
}

asio::awaitable<http::ServerResponse> revoke_key(Services& services, Call call) {
    only_params(call, {});
    const std::string prefix = app::read_prefix(call.params.at(0));
    const bool revoked = co_await services.app.repos().keys.revoke(call.principal.tenant, prefix);
    if (!revoked) refuse_not_found("there is no key '" + prefix + "'; GET /v1/keys lists them");
    co_return json_response(
        200, json::object{{"prefix", app::display_prefix(prefix)}, {"revoked", true}}
    );
}

json::object member_json(const store::Member& member) {
    json::object out;
    out["subject"] = member.subject;
    out["role"] = member.role;
    out["created_at"] = to_rfc3339(member.created_at);
    out["created_by"] = app::or_null(member.created_by);
    out["created_by_name"] = app::or_null(member.created_by_name);
    return out;
}

asio::awaitable<http::ServerResponse> list_members(Services& services, Call call) {
    only_params(call, {"limit", "cursor"});
    const int limit = limit_of(call);
    auto members = co_await services.app.repos().sessions.list_members(
        call.principal.tenant, cursor_of(call), limit + 1
    );
    std::optional<std::string> next;
    if (cut_to(members, limit)) next = members.back().subject;
    co_return page_response(members, next, member_json);
}

asio::awaitable<http::ServerResponse> put_member(Services& services, Call call) {
    const std::string& subject = call.params.at(0);
    if (subject.size() > subject_bytes_max) refuse_parameter("subject", "is longer than 320 bytes");
    CallBody body(call);
    const auto role = body.text("role", 40);
    if (!role && body.places().empty()) body.wrong("role", "is required");
    if (const auto known = parse_role(role.value_or("viewer")); !known) {
        body.wrong("role", known.error().message);
    }
    body.finish();
    const auto member = co_await services.app.repos().sessions.put_member(
        call.principal.tenant, subject, *role, call.principal.name
    );
    co_return json_response(200, member_json(member));
}

asio::awaitable<http::ServerResponse> delete_member(Services& services, Call call) {
    only_params(call, {});
    const std::string& subject = call.params.at(0);
    const bool gone =
        co_await services.app.repos().sessions.delete_member(call.principal.tenant, subject);
    if (!gone) refuse_not_found("there is no member '" + subject + "'; GET /v1/members lists them");
    co_return json_response(200, json::object{{"subject", subject}, {"deleted", true}});
}

json::object audit_json(const store::AuditEntry& entry) {
    json::object out;
    out["id"] = std::to_string(entry.id);
    PAWL_SHOW(
        out,
        entry,
        (app::shown, at, by),
        (app::or_null, by_name),
        (app::shown, person, action, target, status, door),
        (app::or_null, peer, request_id)
    );
    return out;
}

std::optional<std::int64_t> audit_cursor(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return std::nullopt;
    return number_cursor<std::int64_t>(place);
}

asio::awaitable<http::ServerResponse> list_audit(Services& services, Call call) {
    only_params(call, {"limit", "cursor", "by", "action"});
    const int limit = limit_of(call);
    store::AuditFilter filter;
    filter.before = audit_cursor(call);
    filter.by = text_param(call, "by");
    filter.action = text_param(call, "action");
    filter.limit = limit + 1;
    auto entries =
        co_await services.app.repos().audit.list(call.principal.tenant, std::move(filter));
    std::optional<std::string> next;
    if (cut_to(entries, limit)) next = std::to_string(entries.back().id);
    co_return page_response(entries, next, audit_json);
}

}  // namespace

// Who may do what in a tenant, and what they did: for its admins.
void add_access_routes(Router& router, Services& services) {
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/keys", admin, bound(services, list_keys), {}});
    router.add(with_secret({"POST", "/v1/keys", admin, bound(services, create_key), {}}));
    router.add({"DELETE", "/v1/keys/{prefix}", admin, bound(services, revoke_key), {}});
    router.add({"GET", "/v1/members", admin, bound(services, list_members), {}});
    router.add({"PUT", "/v1/members/{subject}", admin, bound(services, put_member), {}});
    router.add({"DELETE", "/v1/members/{subject}", admin, bound(services, delete_member), {}});
    router.add({"GET", "/v1/audit", admin, bound(services, list_audit), {}});
}

}  // namespace pawl::api
