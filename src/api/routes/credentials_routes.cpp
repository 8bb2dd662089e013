#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"

namespace pawl::api {

namespace {

json::object to_json(const store::Credential& credential) {
    json::object object;
    object["name"] = credential.name;
    object["key_id"] = credential.key_id;
    object["created_at"] = to_rfc3339(credential.created_at);
    object["updated_at"] = to_rfc3339(credential.updated_at);
    return object;
}

asio::awaitable<http::ServerResponse> list_credentials(Services& services, Call call) {
    only_params(call, {});
    json::array data;
    for (const auto& credential : co_await services.credentials.list(call.principal.tenant)) {
        data.push_back(to_json(credential));
    }
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> put_credential(Services& services, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const auto value = body.text("value", store::secret_bytes_max);
    if ((!value || value->empty()) && places.empty()) body.wrong("value", "is required");
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    if (!store::is_credential_name(name)) {
        refuse_parameter("name", "must be letters, digits, _ and -, and begin with a letter or _");
    }
    if (!services.vault.usable()) {
        refuse(
            409,
            "no_secret_key",
            "this server has no key to encrypt credentials with; give it one: PAWL_SECRET_KEY"
        );
    }
    const auto kept = co_await services.credentials.put(call.principal.tenant, name, *value);
    co_return json_response(200, to_json(kept));
}

asio::awaitable<http::ServerResponse> delete_credential(Services& services, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const bool found = co_await services.credentials.remove(call.principal.tenant, name);
    if (!found) refuse_not_found("there is no credential '" + name + "'");
    co_return json_response(200, json::object{{"name", name}, {"deleted", true}});
}

}  // namespace

// Secrets go in and never come out.
void add_credential_routes(Router& router, Services& services) {
    const std::string one = "/v1/credentials/{name}";
    router.add({"GET", "/v1/credentials", Scope::admin, bound(services, list_credentials), {}});
    router.add({"PUT", one, Scope::admin, bound(services, put_credential), {}});
    router.add({"DELETE", one, Scope::admin, bound(services, delete_credential), {}});
}

}  // namespace pawl::api
