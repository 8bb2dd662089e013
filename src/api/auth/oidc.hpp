#pragma once

#include "api/auth/jwt_keyring.hpp"
#include "base/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::api {

// How people sign in by an identity provider (OpenID Connect, code flow with PKCE).
struct OidcOptions {
    std::string issuer;  // empty: not at all
    std::string client_id;
    std::string client_secret;  // empty: a public client, which PKCE alone protects
    std::string scopes = "openid email profile";
    // Where the id token names tenants (a text or a list) and the role there. Without a role, only
    // members may sign in.
    std::string tenant_claim;  // empty: the tenant default
    std::string role_claim;

    bool enabled() const { return !issuer.empty(); }
};

// Who came back from the provider.
struct OidcPerson {
    std::string subject;  // a verified email address, else the subject of the token
    json::object roles;   // by tenant, as the token says
};

// What a browser brings back of the beginning: in a cookie that lives for ten minutes.
struct OidcFlow {
    std::string state;
    std::string nonce;
    std::string verifier;
    std::string return_to;  // a path of ours
};
OidcFlow new_flow(std::string return_to);
std::string to_text(const OidcFlow& flow);
std::optional<OidcFlow> parse_flow(std::string_view text);

// Whether a text is a path of this server, and cannot lead a browser elsewhere.
bool is_own_path(std::string_view path);

// What the claims of a verified id token mean here. Errc::unauthenticated when it is not for this
// flow.
Result<OidcPerson> person_of(
    const json::object& claims, const OidcFlow& flow, const OidcOptions& options
);

// The provider, asked for its addresses at the first sign-in and again every ten minutes. Lives on
// one executor that is run by one thread. The client must outlive it.
class Oidc {
public:
    Oidc(asio::any_io_executor executor, OidcOptions options, http::Client& client);

    const OidcOptions& options() const { return options_; }

    // Where a browser goes to prove who its user is. Errc::unavailable: the provider cannot be had.
    asio::awaitable<Result<std::string>> start_url(OidcFlow flow, std::string callback);
    // Who it was, for the code that the browser brought back. Errc::unauthenticated: it proves
    // nothing.
    asio::awaitable<Result<OidcPerson>> finish(
        OidcFlow flow, std::string code, std::string callback
    );

private:
    struct Provider {
        std::string authorize_url;
        std::string token_url;
        std::string jwks_url;
    };

    asio::awaitable<Result<Provider>> provider();
    asio::awaitable<Result<std::string>> id_token(
        OidcFlow flow, std::string code, std::string callback
    );

    asio::any_io_executor executor_;
    OidcOptions options_;
    http::Client& client_;
    std::optional<Provider> provider_;
    Steady::time_point looked_{};
    std::optional<JwtKeyring> keyring_;
};

}  // namespace pawl::api
