#include "api/http/node_types.hpp"
#include "api/http/openapi.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "api/ui/docs_page.hpp"
#include "base/base64url.hpp"
#include "base/random_bytes.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr std::size_t nonce_bytes = 16;

http::ServerResponse plain(int status, std::string body) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body), {}};
}

asio::awaitable<http::ServerResponse> livez(Services&, Call) {
    co_return plain(200, "ok\n");
}

asio::awaitable<http::ServerResponse> readyz(Services& services, Call) {
    const std::string why = services.unready();
    co_return why.empty() ? plain(200, "ok\n") : plain(503, "not ready: " + why + "\n");
}

// They are of all tenants, so the keys of one tenant do not open them.
asio::awaitable<http::ServerResponse> metrics(Services& services, Call call) {
    if (call.principal.tenant != default_tenant) {
        refuse(
            403,
            "forbidden",
            "the metrics are of all tenants: use a key of the tenant 'default' with the scope "
            "metrics:read, or the key of --metrics-key"
        );
    }
    co_return http::ServerResponse{
        200, {{"Content-Type", "text/plain; version=0.0.4"}}, services.metrics(), {}};
}

asio::awaitable<http::ServerResponse> get_openapi(Services&, Call) {
    co_return json_response(200, openapi());
}

asio::awaitable<http::ServerResponse> show_docs(Services& services, Call call) {
    only_params(call, {});
    const std::string nonce = to_base64url(random_bytes(nonce_bytes));
    http::ServerResponse response;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'nonce-" + nonce +
             "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"}};
    response.body = docs_page(openapi(), services.public_url, nonce);
    co_return response;
}

asio::awaitable<http::ServerResponse> list_node_types(Services&, Call) {
    co_return json_response(200, json::object{{"data", node_types()}});
}

}  // namespace

void add_service_routes(Router& router, Services& services) {
    router.add({"GET", "/livez", {}, bound(services, livez), {}});
    router.add({"GET", "/readyz", {}, bound(services, readyz), {}});
    router.add({"GET", "/healthz", {}, bound(services, readyz), {}});
    router.add({"GET", "/metrics", Scope::metrics_read, bound(services, metrics), {}, false, false}
    );
    router.add({"GET", "/openapi.json", {}, bound(services, get_openapi), {}});
    router.add(public_route("GET", "/docs", bound(services, show_docs)));
    router.add(
        {"GET", "/v1/node-types", Scope::workflows_read, bound(services, list_node_types), {}}
    );
}

}  // namespace pawl::api
