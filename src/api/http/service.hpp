#pragma once

#include "api/http/cors.hpp"
#include "api/http/router.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"
#include "base/vault.hpp"
#include "store/repos/audit.hpp"
#include "store/repos/idempotency.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>

namespace pawl::api {

struct ServiceOptions {
    CorsOptions cors;
    bool access_log = true;
    std::string base_path;  // what stands before every path of ours: "" or "/pawl"
    // Called for every request, with how it was answered and how long that took.
    std::function<void(int status, Steady::duration took)> on_answered;
    Vault vault;             // encrypts answers with secrets that are kept for a repeated request
    std::string public_url;  // its pages may write with the cookie of a session
    // Notes what a caller changed.
    std::function<asio::awaitable<void>(store::AuditEntry)> audit;
    // How often a stream asks whether its key or token is still good.
    Duration recheck_every = std::chrono::seconds(5);
};

// Runs before every handler: request id, CORS, routing, authentication, authorization, errors as
// problem+json, the access log; and ends streams whose caller may no longer read.
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
    // For a request whose body has not been read.
    asio::awaitable<http::Entry> enter(http::ServerRequest head);

private:
    // With an entry it is only a head; status 0: one that may send its body. The entry outlives the
    // call.
    asio::awaitable<http::ServerResponse> process(http::ServerRequest request, http::Entry* entry);
    asio::awaitable<http::ServerResponse> answer(
        http::ServerRequest request,
        Target target,
        Match match,
        std::string request_id,
        http::Entry* entry
    );
    asio::awaitable<http::ServerResponse> run(const Route& route, Call call, http::Entry* entry);
    // Without a scope: every caller.
    asio::awaitable<Principal> admit(std::optional<Scope> scope, const http::Headers& headers);
    asio::awaitable<http::ServerResponse> perform(const Route& route, Call call);

    ServiceOptions options_;
    Router router_;
    Authenticate authenticate_;
    store::Idempotency& idempotency_;
    Rng rng_;
};

}  // namespace pawl::api
