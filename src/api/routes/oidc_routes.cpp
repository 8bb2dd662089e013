#include "api/auth/oidc.hpp"
#include "api/auth/session_cookie.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/session_view.hpp"
#include "api/http/task_page.hpp"
#include "api/services.hpp"
#include "base/log.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::string_view flow_cookie = "pawl_oidc";
constexpr Duration flow_life = std::chrono::minutes(10);

Oidc& provider_of(Services& services) {
    if (services.oidc == nullptr) {
        refuse_not_found(
            "this server knows no identity provider; start it with --oidc-issuer and "
            "--oidc-client-id"
        );
    }
    return *services.oidc;
}

std::string callback_of(const Services& services) {
    return services.public_url + "/v1/session/oidc/callback";
}

// Lax: the provider's page sends the browser back, and the cookie has to come along.
std::string flow_cookie_of(Services& services, const Call& call, std::string_view value) {
    const CookieParams params = cookie_params(services, call);
    const auto life = std::chrono::duration_cast<std::chrono::seconds>(flow_life).count();
    return fmt::format(
        "{}={}; Path={}/v1/session/oidc; Max-Age={}; HttpOnly; SameSite=Lax{}",
        flow_cookie,
        value,
        params.base_path,
        value.empty() ? 0 : life,
        params.secure ? "; Secure" : ""
    );
}

asio::awaitable<http::ServerResponse> show(Services& services, Call call) {
    only_params(call, {});
    const bool enabled = services.oidc != nullptr;
    json::object body;
    body["enabled"] = enabled;
    body["issuer"] = enabled ? json::value(services.oidc->options().issuer) : json::value();
    co_return json_response(200, body);
}

asio::awaitable<http::ServerResponse> start(Services& services, Call call) {
    only_params(call, {"return"});
    Oidc& oidc = provider_of(services);
    const OidcFlow flow = new_flow(text_param(call, "return"));
    const auto url = or_refuse(co_await oidc.start_url(flow, callback_of(services)));
    http::ServerResponse response;
    response.status = 303;
    response.headers = {
        {"Location", url},
        {"Set-Cookie", flow_cookie_of(services, call, to_text(flow))},
        {"Cache-Control", "no-store"}};
    co_return response;
}

http::ServerResponse refused_page(
    Services& services, const Call& call, int status, const std::string& word
) {
    auto response = word_page(status, "Signing in", word);
    response.headers.push_back({"Set-Cookie", flow_cookie_of(services, call, "")});
    return response;
}

// The session of a person who may act somewhere; nothing: nowhere.
asio::awaitable<std::optional<store::NewSession>> session_of(
    Services& services, OidcPerson person
) {
    app::Repositories& repos = services.app.repos();
    const auto tenants = co_await repos.sessions.tenants_of(person.subject, person.roles);
    if (tenants.empty()) co_return std::nullopt;
    const auto tenant = co_await repos.keys.find_tenant(tenants.front().tenant);
    if (!tenant) co_return std::nullopt;
    store::NewSession session;
    session.tenant = tenant->tenant.id;
    session.subject = person.subject;
    session.roles = person.roles;
    co_return session;
}

asio::awaitable<http::ServerResponse> finish(Services& services, Call call) {
    Oidc& oidc = provider_of(services);
    const auto text = cookie_of(call.request.headers, flow_cookie);
    const auto flow = text ? parse_flow(*text) : std::nullopt;
    if (!flow || !same_secret(text_param(call, "state"), flow->state)) {
        co_return refused_page(
            services, call, 400, "This sign-in has ended or was not begun here. Please try again."
        );
    }
    const std::string code = text_param(call, "code");
    if (code.empty()) {
        co_return refused_page(services, call, 403, "The identity provider did not let you in.");
    }
    const auto person = co_await oidc.finish(*flow, code, callback_of(services));
    if (!person) {
        log::warn("a sign-in failed", {log::field("error", to_string(person.error()))});
        const bool away = person.error().code == Errc::unavailable;
        co_return refused_page(
            services,
            call,
            away ? 503 : 401,
            away ? "The identity provider does not answer. Please try again later."
                 : "The answer of the identity provider is not valid. Please try again."
        );
    }
    auto session = co_await session_of(services, *person);
    if (!session) {
        co_return refused_page(
            services,
            call,
            403,
            "You are signed in as " + person->subject +
                ", who is no member of a tenant here. Ask an admin to add you."
        );
    }
    const auto begun = co_await begin_session(services, call, std::move(*session), 303);
    http::ServerResponse response;
    response.status = 303;
    response.headers = {
        {"Location", services.sign_in.base_path + flow->return_to},
        {"Set-Cookie", flow_cookie_of(services, call, "")},
        {"Cache-Control", "no-store"}};
    if (const std::string* cookie = http::find_header(begun.headers, "Set-Cookie")) {
        response.headers.push_back({"Set-Cookie", *cookie});
    }
    co_return response;
}

}  // namespace

// Public: the provider proves who it is.
void add_oidc_routes(Router& router, Services& services) {
    const std::string one = "/v1/session/oidc";
    router.add(public_route("GET", one, bound(services, show)));
    router.add(public_route("GET", one + "/start", bound(services, start)));
    router.add(public_route("GET", one + "/callback", bound(services, finish)));
}

}  // namespace pawl::api
