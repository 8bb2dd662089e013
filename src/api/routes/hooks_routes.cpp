#include "api/http/hook_request.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"

namespace pawl::api {

namespace {

// Providers need no text; some complain about JSON, or send what stands here to the person.
http::ServerResponse heard() {
    http::ServerResponse response;
    response.headers.push_back({"Content-Type", "text/plain"});
    return response;
}

// Public: the signature is the proof.
asio::awaitable<http::ServerResponse> take(Services& services, Call call) {
    connect::HookRequest hook = hook_request(services.public_url, call);
    or_refuse(
        co_await services.app.hooks().take(call.params.at(0), call.params.at(1), std::move(hook))
    );
    co_return heard();
}

asio::awaitable<std::int32_t> owner(Services& services, const Call& call) {
    co_return or_refuse(co_await services.app.hooks().owner(call.params.at(0), call.params.at(1)));
}

// Consoles of providers look whether an address answers before they take it.
asio::awaitable<http::ServerResponse> verify(Services& services, Call call) {
    co_await owner(services, call);
    co_return heard();
}

}  // namespace

void add_hook_routes(Router& router, Services& services) {
    const std::string one = "/v1/hooks/{connector}/{endpoint}";
    Route route{"POST", one, {}, bound(services, take), {}};
    // Facts are known by the ids that the provider gives them.
    route.keyed = false;
    route.cross_origin = false;
    route.prove = [&services](const Call& call) { return owner(services, call); };
    router.add(std::move(route));
    Route look{"GET", one, {}, bound(services, verify), {}};
    look.cross_origin = false;
    router.add(std::move(look));
}

}  // namespace pawl::api
