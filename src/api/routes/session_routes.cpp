#include "api/auth/roles.hpp"
#include "api/auth/session_cookie.hpp"
#include "api/http/body.hpp"
#include "api/http/call_body.hpp"
#include "api/http/routes.hpp"
#include "api/http/session_view.hpp"
#include "api/services.hpp"
#include "app/tenants/auth_key.hpp"
#include "app/views/json_parts.hpp"
#include "base/cut_text.hpp"
#include "base/sha256.hpp"
#include "steps/storable_text.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl::api {

namespace {

constexpr std::size_t key_bytes_max = 200;
constexpr std::size_t agent_bytes_max = 300;

[[noreturn]] void refuse_attempt(Services& services, const Call& call, std::string why) {
    services.sign_in.attempts.fail(call.request.peer);
    refuse(401, "unauthenticated", std::move(why));
}

// Not for callers that failed too often, and for no page of another site: it could sign its visitor
// in as another person.
void check_attempt(Services& services, const Call& call) {
    const Duration wait = services.sign_in.attempts.wait(call.request.peer, Steady::now());
    if (wait > Duration::zero()) {
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
        Problem problem{429, "too_many_attempts", "too many failed attempts to sign in", {}, {}};
        problem.headers.push_back({"Retry-After", fmt::format("{}", seconds)});
        throw Refused(std::move(problem));
    }
    if (!is_same_origin(call.request.headers, services.public_url)) {
        refuse(403, "csrf", "only a page of this server may sign in; is --public-url right?");
    }
}

asio::awaitable<store::NewSession> session_by_key(
    Services& services, const Call& call, std::string key
) {
    if (!app::looks_like_api_key(key)) {
        refuse_attempt(services, call, "this is no API key: they are written pawl_PREFIX_SECRET");
    }
    auto principal = co_await services.sign_in.prove(std::move(key));
    if (!principal && principal.error().code != Errc::unauthenticated) {
        throw Refused(to_problem(principal.error()));
    }
    if (!principal || !principal->key)
        refuse_attempt(services, call, "unknown, revoked or expired API key");
    store::NewSession session;
    session.tenant = principal->tenant;
    session.key = principal->key;
    session.subject = principal->name;
    co_return session;
}

asio::awaitable<store::NewSession> session_by_ticket(
    Services& services, const Call& call, std::string ticket
) {
    const auto key = co_await services.app.repos().sessions.take_ticket(sha256(ticket));
    if (!key) refuse_attempt(services, call, "the link was used already, or has expired");
    store::NewSession session;
    session.tenant = key->tenant.id;
    session.key = key->id;
    session.subject = key->prefix;
    co_return session;
}

asio::awaitable<http::ServerResponse> create(Services& services, Call call) {
    CallBody body(call);
    const auto key = body.text("key", key_bytes_max);
    const auto ticket = body.text("ticket", key_bytes_max);
    if (!key && !ticket) body.wrong("key", "is required: an API key (pawl keys create)");
    if (key && ticket) body.wrong("ticket", "must not be given together with a key");
    body.finish();
    check_attempt(services, call);
    auto session = key ? co_await session_by_key(services, call, *key)
                       : co_await session_by_ticket(services, call, *ticket);
    co_return co_await begin_session(services, call, std::move(session), 200);
}

asio::awaitable<http::ServerResponse> show(Services& services, Call call) {
    only_params(call, {});
    auto view = co_await session_view(services, call.principal);
    co_return json_response(200, view);
}

asio::awaitable<http::ServerResponse> switch_tenant(Services& services, Call call) {
    CallBody body(call);
    const auto tenant = body.text("tenant", 100);
    if (!tenant) body.wrong("tenant", "is required: its name");
    body.finish();
    const auto token = session_token_of(call.request.headers);
    if (call.principal.session == 0 || !token) {
        refuse(409, "no_session", "only a session can switch: a key is of one tenant");
    }
    const bool switched =
        co_await services.app.repos().sessions.switch_to(call.principal.session, *tenant);
    if (!switched) {
        refuse(403, "forbidden", fmt::format("you are no member of a tenant '{}'", *tenant));
    }
    services.sign_in.forget(sha256(*token));
    auto principal = co_await services.sign_in.look(call.request.headers);
    auto view = co_await session_view(services, or_refuse(std::move(principal)));
    co_return json_response(200, view);
}

// The key of a caller who has no session.
std::optional<std::int32_t> key_beside_session(const Call& call) {
    return call.principal.session != 0 ? std::nullopt : call.principal.key;
}

http::ServerResponse ended(
    Services& services, const Call& call, const std::vector<std::string>& hashes
) {
    for (const std::string& hash : hashes) services.sign_in.forget(hash);
    auto response = json_response(200, json::object{{"ended", hashes.size()}});
    response.headers.push_back({"Set-Cookie", drop_cookie(cookie_params(services, call))});
    return response;
}

asio::awaitable<http::ServerResponse> sign_out(Services& services, Call call) {
    only_params(call, {});
    const auto hashes = co_await services.app.repos().sessions.end(call.principal.session);
    co_return ended(services, call, hashes);
}

asio::awaitable<http::ServerResponse> sign_out_everywhere(Services& services, Call call) {
    only_params(call, {});
    const auto hashes = co_await services.app.repos().sessions.end_all(
        call.principal.session, key_beside_session(call)
    );
    co_return ended(services, call, hashes);
}

asio::awaitable<http::ServerResponse> list_sessions(Services& services, Call call) {
    only_params(call, {});
    json::array data;
    for (auto& one : co_await services.app.repos().sessions.list(
             call.principal.session, key_beside_session(call)
         )) {
        data.push_back(std::move(one));
    }
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> end_one(Services& services, Call call) {
    only_params(call, {});
    const std::string& text = call.params.at(0);
    std::int64_t id = 0;
    std::from_chars(text.data(), text.data() + text.size(), id);
    const auto hashes = co_await services.app.repos().sessions.end_one(
        call.principal.session, key_beside_session(call), id
    );
    if (hashes.empty()) refuse_not_found("you have no session '" + text + "'");
    for (const std::string& hash : hashes) services.sign_in.forget(hash);
    co_return json_response(200, json::object{{"ended", hashes.size()}});
}

}  // namespace

CookieParams cookie_params(const Services& services, const Call& call) {
    CookieParams params;
    params.base_path = services.sign_in.base_path;
    params.secure = came_by_https(call.request.headers, services.public_url);
    params.life = services.sign_in.times.life;
    return params;
}

asio::awaitable<json::object> session_view(Services& services, Principal principal) {
    app::Repositories& repos = services.app.repos();
    const auto tenant = co_await repos.keys.tenant_now(principal.tenant);
    std::vector<store::TenantRoleName> tenants;
    if (principal.session != 0) tenants = co_await repos.sessions.tenants(principal.session);
    if (tenants.empty()) tenants.push_back({tenant.name, principal.role});
    json::object view;
    view["subject"] = principal.name;
    const auto name = co_await repos.sessions.caller_name(principal.session, principal.key);
    view["name"] = name.empty() ? principal.name : name;
    view["person"] = principal.person;
    view["tenant"] = tenant.name;
    json::array& list = view["tenants"].emplace_array();
    for (const auto& [name, role] : tenants) {
        list.push_back(json::object{{"name", name}, {"role", app::or_null(role)}});
    }
    view["role"] = app::or_null(principal.role);
    const auto scopes = principal.scopes.names();
    view["scopes"] = json::array(scopes.begin(), scopes.end());
    view["csrf"] = app::or_null(principal.csrf);
    view["expires_at"] = principal.expires == Instant::max()
                             ? json::value()
                             : json::value(to_rfc3339(principal.expires));
    co_return view;
}

asio::awaitable<http::ServerResponse> begin_session(
    Services& services, const Call& call, store::NewSession session, int status
) {
    const std::string token = make_session_token();
    session.hash = sha256(token);
    session.idle = services.sign_in.times.idle;
    session.life = services.sign_in.times.life;
    session.peer = call.request.peer;
    if (const auto* agent = http::find_header(call.request.headers, "User-Agent")) {
        session.agent = cut_text(steps::storable(*agent, agent_bytes_max), agent_bytes_max);
    }
    store::AuditEntry did;
    did.tenant = session.tenant;
    did.by = session.subject;
    did.person = !session.key;
    did.action = "createSession";
    did.target = "/v1/session";
    did.status = status;
    did.door = "ui";
    did.peer = call.request.peer;
    did.request_id = call.request_id;
    co_await services.app.repos().sessions.create(std::move(session));
    co_await services.app.repos().audit.note(std::move(did));
    http::Headers cookie{{"Cookie", "pawl_session=" + token}};
    auto principal = co_await services.sign_in.look(cookie);
    auto view = co_await session_view(services, or_refuse(std::move(principal)));
    auto response = json_response(status, view);
    response.headers.push_back({"Set-Cookie", set_cookie(token, cookie_params(services, call))});
    response.headers.push_back({"Cache-Control", "no-store"});
    co_return response;
}

// Pages of other origins have no business with sessions.
void add_session_routes(Router& router, Services& services) {
    const std::string one = "/v1/session";
    router.add(public_route("POST", one, bound(services, create)));
    const auto add = [&](const char* method, const std::string& path, CallHandler handler) {
        Route route{method, path, {}, std::move(handler), {}, false, false};
        route.any_caller = true;
        router.add(std::move(route));
    };
    add("GET", one, bound(services, show));
    add("PUT", one, bound(services, switch_tenant));
    add("DELETE", one, bound(services, sign_out));
    add("GET", "/v1/sessions", bound(services, list_sessions));
    add("DELETE", "/v1/sessions", bound(services, sign_out_everywhere));
    add("DELETE", "/v1/sessions/{id}", bound(services, end_one));
}

}  // namespace pawl::api
