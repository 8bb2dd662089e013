#pragma once

#include "api/cors.hpp"
#include "api/router.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"
#include "store/idempotency.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace pawl::api {

struct ServiceOptions {
    CorsOptions cors;
    bool access_log = true;
    // Called for every request, with how it was answered and how long that took.
    std::function<void(int status, Steady::duration took)> on_answered;
};

// What stands before every handler: request id, CORS, routing, who is asking, whether they may,
// errors as problem+json, the access log.
class Service {
public:
    // Proves who makes a request; throws Refused (401) when that fails.
    using Authenticate = std::function<asio::awaitable<Principal>(const http::Headers&)>;

    Service(
        ServiceOptions options,
        Router router,
        Authenticate authenticate,
        store::Idempotency& idempotency
    );

    // The Service must outlive what it returns.
    asio::awaitable<http::ServerResponse> handle(http::ServerRequest request);

private:
    asio::awaitable<http::ServerResponse> answer(
        http::ServerRequest request, Target target, Match match, std::string request_id
    );
    asio::awaitable<http::ServerResponse> run(const Route& route, Call call);

    ServiceOptions options_;
    Router router_;
    Authenticate authenticate_;
    store::Idempotency& idempotency_;
    Rng rng_;
};

}  // namespace pawl::api
