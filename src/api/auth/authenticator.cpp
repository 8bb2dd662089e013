#include "api/auth/authenticator.hpp"

#include "api/auth/auth_header.hpp"
#include "api/auth/roles.hpp"
#include "api/auth/session_cookie.hpp"
#include "app/tenants/auth_key.hpp"
#include "base/sha256.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t entries_max = 10'000;
constexpr Duration keep_valid = std::chrono::seconds(5);
constexpr Duration keep_unknown = std::chrono::seconds(1);
constexpr Duration touch_after = std::chrono::seconds(60);

Error refuse(std::string why) {
    return {Errc::unauthenticated, std::move(why), {}};
}

}  // namespace

Authenticator::Authenticator(
    asio::any_io_executor executor,
    AuthOptions options,
    store::ApiKeys& keys,
    store::Sessions& sessions,
    http::Client& client
)
    : options_(std::move(options)),
      keys_(keys),
      sessions_(sessions),
      keyring_(std::move(executor), options_.keyring, client),
      valid_(entries_max, keep_valid),
      unknown_(entries_max, keep_unknown) {}

// Not a coroutine: the headers are read before it returns, and may go then.
asio::awaitable<Result<Principal>> Authenticator::authenticate(const http::Headers& headers) {
    auto credential = credential_of(headers);
    if (!credential) {
        if (auto token = session_token_of(headers)) return check_session(std::move(*token));
    }
    return check(std::move(credential));
}

asio::awaitable<Result<Principal>> Authenticator::check_session(std::string token) {
    const std::string hash = sha256(token);
    if (auto known = valid_.find(hash, options_.keyring.clock())) co_return std::move(*known);
    const auto found = co_await sessions_.find_by_hash(hash);
    if (!found) co_return refuse("the session has ended: sign in again");
    if (options_.wall() - found->used_at >= touch_after) {
        co_await touch(sessions_.touch(found->id));
    }
    Principal principal;
    principal.tenant = found->tenant.id;
    principal.bucket = found->tenant.bucket;
    principal.name = found->subject;
    principal.person = found->person;
    principal.scopes = known_scopes(found->scopes);
    principal.scopes.add(scopes_of_role(found->role));
    principal.role = found->role;
    principal.session = found->id;
    principal.csrf = csrf_of(token);
    principal.expires = found->expires_at;
    valid_.put(hash, principal, options_.keyring.clock(), found->expires_at - options_.wall());
    co_return principal;
}

asio::awaitable<Result<Principal>> Authenticator::check(Result<std::string> credential) {
    if (!credential) co_return credential.error();
    if (credential->size() > jwt_bytes_max) {
        co_return refuse(fmt::format("the key or token is longer than {} bytes", jwt_bytes_max));
    }
    std::string hash = sha256(*credential);
    const auto now = options_.keyring.clock();
    if (auto known = valid_.find(hash, now)) co_return std::move(*known);
    if (auto known = unknown_.find(hash, now)) co_return std::move(*known);
    if (credential->starts_with(app::api_key_start)) {
        co_return co_await check_key(std::move(*credential), std::move(hash));
    }
    co_return co_await check_token(std::move(*credential), std::move(hash));
}

asio::awaitable<Result<Principal>> Authenticator::check_key(std::string text, std::string hash) {
    if (!app::looks_like_api_key(text)) {
        co_return refuse("malformed API key: it is not written pawl_PREFIX_SECRET; was it cut?");
    }
    const auto found = co_await keys_.find_by_hash(hash);
    if (!found) {
        Error error = refuse(fmt::format(
            "the API key pawl_{}_... is unknown, revoked or expired", app::api_key_prefix(text)
        ));
        unknown_.put(hash, error, options_.keyring.clock());
        co_return error;
    }
    // The statement looks again; this only saves a round trip.
    if (!found->last_used_at || options_.wall() - *found->last_used_at >= touch_after) {
        co_await touch(keys_.touch(found->id));
    }
    Principal principal;
    principal.tenant = found->tenant.id;
    principal.bucket = found->tenant.bucket;
    principal.name = found->prefix;
    principal.scopes = known_scopes(found->scopes);
    principal.scopes.add(scopes_of_role(found->role));
    principal.role = found->role;
    principal.key = found->id;
    valid_.put(hash, principal, options_.keyring.clock());
    co_return principal;
}

// When a key was used last is worth a note, and no reason to refuse a request: a standby takes no
// writes and answers reads all the same.
asio::awaitable<void> Authenticator::touch(asio::awaitable<void> noting) {
    try {
        co_await std::move(noting);
        touching_.fine();
    } catch (const Failure& failure) {
        touching_.failed(failure.what());
    }
}

asio::awaitable<Result<Principal>> Authenticator::check_token(std::string text, std::string hash) {
    if (!options_.checks_tokens()) {
        co_return refuse(
            "this is not an API key (they begin with pawl_), and this server is not set up to "
            "check "
            "tokens"
        );
    }
    const auto token = parse_jwt(text);
    if (!token) co_return token.error();
    const auto keys = co_await keyring_.keys_for(*token);
    if (!keys) co_return keys.error();
    const Instant now = options_.wall();
    if (auto fine = verify_jwt(*token, **keys, options_.jwt, now); !fine) co_return fine.error();
    auto identity = identity_of(token->claims, options_.claims);
    if (!identity) co_return identity.error();
    Principal principal;
    principal.name = std::move(identity->name);
    principal.person = true;
    principal.scopes = identity->scopes;
    if (identity->tenant) {
        const auto tenant = co_await keys_.find_tenant(*identity->tenant);
        if (!tenant) co_return Error{Errc::forbidden, "the token's tenant does not exist", {}};
        principal.tenant = tenant->tenant.id;
        principal.bucket = tenant->tenant.bucket;
    }
    principal.expires = written_end_of(*token);
    valid_.put(hash, principal, options_.keyring.clock(), end_of(*token, options_.jwt) - now);
    co_return principal;
}

}  // namespace pawl::api
