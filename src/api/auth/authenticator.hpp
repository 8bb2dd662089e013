#pragma once

#include "api/auth/auth_cache.hpp"
#include "api/auth/jwt_claims.hpp"
#include "api/auth/jwt_keyring.hpp"
#include "api/auth/principal.hpp"
#include "base/complaint.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/browser_sessions.hpp"

namespace pawl::api {

struct AuthOptions {
    KeyringOptions keyring;  // empty: API keys only
    JwtRules jwt;
    ClaimRules claims;
    // The wall clock, because that is what an issuer of tokens writes `exp` with.
    std::function<Instant()> wall = wall_now;

    bool checks_tokens() const { return !keyring.empty(); }
};

// Who makes a request. A valid key or token is remembered for 5 s, so a key that was revoked may
// work that long; an unknown key for 1 s. One key in use costs one query every 5 s. A request
// without either may have the cookie of a session, which is remembered likewise.
//
// Lives on one executor that is run by one thread; what it is given must outlive it.
class Authenticator {
public:
    // Throws Failure when what is configured cannot work (a short secret, a file that is no JWK
    // set).
    Authenticator(
        asio::any_io_executor executor,
        AuthOptions options,
        store::ApiKeys& keys,
        store::Sessions& sessions,
        http::Client& client
    );

    // Errc::unauthenticated says what is wrong with the key or token (401); Errc::forbidden: its
    // tenant does not exist; Errc::unavailable: the issuer's keys cannot be had. Throws when the
    // database fails.
    asio::awaitable<Result<Principal>> authenticate(const http::Headers& headers);
    // The one who has this API key or token.
    asio::awaitable<Result<Principal>> check(Result<std::string> credential);
    // A session was ended or changed: it is looked up again. Hashes of tokens.
    void forget(const std::string& hash) { valid_.forget(hash); }
    // Whether tokens of people are looked at.
    bool checks_tokens() const { return options_.checks_tokens(); }

private:
    asio::awaitable<Result<Principal>> check_session(std::string token);
    asio::awaitable<Result<Principal>> check_key(std::string text, std::string hash);
    asio::awaitable<Result<Principal>> check_token(std::string text, std::string hash);
    asio::awaitable<void> touch(asio::awaitable<void> noting);

    AuthOptions options_;
    store::ApiKeys& keys_;
    store::Sessions& sessions_;
    JwtKeyring keyring_;
    ExpiringCache<Principal> valid_;
    ExpiringCache<Error> unknown_;
    Complaint touching_{"the last use of keys and sessions could not be recorded"};
};

}  // namespace pawl::api
