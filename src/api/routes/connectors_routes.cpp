#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/views/connector_json.hpp"

namespace pawl::api {

namespace {

asio::awaitable<http::ServerResponse> list(Services& services, Call call) {
    only_params(call, {});
    json::array data;
    for (const auto& one :
         co_await app::list_connectors(services.app.connectors, call.principal.tenant)) {
        json::object shown = app::to_json(one);
        shown.erase("definition");
        data.push_back(std::move(shown));
    }
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> show(Services& services, Call call) {
    only_params(call, {});
    const auto found = or_refuse(co_await app::find_connector(
        services.app.connectors.messages, call.principal.tenant, call.params.at(0)
    ));
    co_return json_response(200, app::to_json(found));
}

asio::awaitable<http::ServerResponse> put(Services& services, Call call) {
    only_params(call, {});
    const auto kept = or_refuse(co_await app::put_connector(
        services.app.connectors, call.principal.tenant, call.params.at(0), call.request.body
    ));
    co_return json_response(200, app::to_json(kept));
}

asio::awaitable<http::ServerResponse> remove(Services& services, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    or_refuse(co_await app::remove_connector(services.app.connectors, call.principal.tenant, name));
    co_return json_response(200, json::object{{"name", name}, {"deleted", true}});
}

asio::awaitable<http::ServerResponse> list_accounts(Services& services, Call call) {
    only_params(call, {});
    json::array data;
    for (const auto& account : or_refuse(co_await app::list_accounts(
             services.app.connectors, call.principal.tenant, call.params.at(0)
         ))) {
        data.push_back(app::to_json(account, services.public_url));
    }
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> put_account(Services& services, Call call) {
    CallBody body(call);
    app::AccountParams params;
    params.connector = call.params.at(0);
    params.account = call.params.at(1);
    if (const json::object* given = body.object("credentials")) params.credentials = *given;
    if (const json::object* given = body.object("settings")) params.settings = *given;
    body.finish();
    const auto kept = or_refuse(
        co_await app::put_account(services.app.connectors, call.principal.tenant, std::move(params))
    );
    co_return json_response(200, app::to_json(kept, services.public_url));
}

asio::awaitable<http::ServerResponse> remove_account(Services& services, Call call) {
    only_params(call, {});
    const std::string& connector = call.params.at(0);
    const std::string& account = call.params.at(1);
    or_refuse(co_await app::remove_account(
        services.app.connectors, call.principal.tenant, connector, account
    ));
    co_return json_response(
        200, json::object{{"connector", connector}, {"account", account}, {"deleted", true}}
    );
}

}  // namespace

// Credentials go in and never come out.
void add_connector_routes(Router& router, Services& services) {
    const std::string one = "/v1/connectors/{connector}";
    const std::string account = one + "/accounts/{account}";
    const auto read = Scope::workflows_read;
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/connectors", read, bound(services, list), {}});
    router.add({"GET", one, read, bound(services, show), {}});
    router.add({"PUT", one, admin, bound(services, put), {}});
    router.add({"DELETE", one, admin, bound(services, remove), {}});
    router.add({"GET", one + "/accounts", admin, bound(services, list_accounts), {}});
    router.add({"PUT", account, admin, bound(services, put_account), {}});
    router.add({"DELETE", account, admin, bound(services, remove_account), {}});
}

}  // namespace pawl::api
