#pragma once

#include "connect/account.hpp"
#include "http/client_request.hpp"

namespace pawl::connect {

// An access token for connectors that have `token`: the service account signs a JWT (RS256), and
// gets a token for it (RFC 7523).
struct AccessToken {
    std::string text;
    Instant expires_at{};  // a minute before the provider says
};

// Its host follows settings.base_url too.
Result<http::Request> make_token_request(
    const Connector& connector, const Account& account, Instant now
);

// Errc::unavailable: try again, for it is busy, or another has answered, such as a proxy.
// Errc::invalid: the service account is not good.
Result<AccessToken> read_token_answer(const http::Response& answer, Instant now);

}  // namespace pawl::connect
