#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/credentials/credential_uses.hpp"
#include "app/views/credential_json.hpp"

namespace pawl::api {

namespace {

asio::awaitable<http::ServerResponse> list_credentials(app::CredentialUses& uses, Call call) {
    only_params(call, {});
    const auto all = co_await uses.credentials.list(call.principal.tenant);
    co_return page_response(all, std::nullopt, [](const auto& one) { return app::to_json(one); });
}

asio::awaitable<http::ServerResponse> put(app::CredentialUses& uses, Call call) {
    const std::string& name = call.params.at(0);
    CallBody body(call);
    const auto value = body.text("value", store::secret_bytes_max);
    if ((!value || value->empty()) && body.places().empty()) body.wrong("value", "is required");
    body.finish();
    if (!store::is_credential_name(name)) {
        refuse_parameter("name", "must be letters, digits, _ and -, and begin with a letter or _");
    }
    const auto kept =
        or_refuse(co_await app::put_credential(uses, call.principal.tenant, name, *value));
    co_return json_response(200, app::to_json(kept));
}

asio::awaitable<http::ServerResponse> remove(app::CredentialUses& uses, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    or_refuse(co_await app::remove_credential(uses, call.principal.tenant, name));
    co_return json_response(200, json::object{{"name", name}, {"deleted", true}});
}

}  // namespace

// Secrets go in and never come out.
void add_credential_routes(Router& router, app::CredentialUses& uses) {
    const std::string one = "/v1/credentials/{name}";
    router.add({"GET", "/v1/credentials", Scope::admin, bound(uses, list_credentials), {}});
    router.add({"PUT", one, Scope::admin, bound(uses, put), {}});
    router.add({"DELETE", one, Scope::admin, bound(uses, remove), {}});
}

}  // namespace pawl::api
