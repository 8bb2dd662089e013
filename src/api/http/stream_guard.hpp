#pragma once

#include "api/auth/principal.hpp"
#include "http/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>

namespace pawl::api {

namespace asio = boost::asio;

// A stream may last for days, and what allowed it may end meanwhile: a key is revoked, a token
// expires, a scope is taken away.
struct StreamGuard {
    Principal principal;
    http::Headers headers;  // what proved it
    Duration recheck_every = std::chrono::seconds(5);
    // Proves it once more; throws Refused when that fails.
    std::function<asio::awaitable<Principal>(const http::Headers&)> admit;
};

// Those of a request's headers that say who makes it.
http::Headers credential_headers(const http::Headers& headers);

// From now on the response's stream ends, with a message `refused` that says why, when its caller
// may no longer read it: at the `exp` of a token, otherwise within recheck_every and what the
// authenticator remembers. While the proof cannot be had (the database is away) it goes on for half
// a minute.
void guard_stream(http::ServerResponse& response, StreamGuard guard);

}  // namespace pawl::api
