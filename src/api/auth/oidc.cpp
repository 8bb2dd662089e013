#include "api/auth/oidc.hpp"

#include "base/base64.hpp"
#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "connect/form.hpp"
#include "http/host_rules.hpp"
#include "http/url.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr auto look_again = std::chrono::minutes(10);
constexpr auto ask_timeout = std::chrono::seconds(10);
constexpr std::size_t answer_bytes_max = 256 << 10;

Error unavailable(const std::string& why) {
    return {Errc::unavailable, "the identity provider cannot be asked: " + why, {}};
}

// `refused`: what an answer with a status below 500 means.
asio::awaitable<Result<json::value>> ask(
    http::Client& client, http::Request request, Errc refused = Errc::unavailable
) {
    request.trusted = true;
    request.timeout = ask_timeout;
    request.response_bytes_max = answer_bytes_max;
    request.headers.push_back({"Accept", "application/json"});
    const auto answer = co_await client.send(std::move(request));
    if (!answer) co_return unavailable(answer.error().message);
    auto parsed = parse_json(answer->body);
    if (answer->status != 200) {
        const std::string_view said = parsed ? text_in(*parsed, "error") : std::string_view();
        Error error =
            unavailable(fmt::format("it answered {} {}", answer->status, said.substr(0, 100)));
        if (answer->status < 500) error.code = refused;
        co_return error;
    }
    if (!parsed || !parsed->is_object()) co_return unavailable("its answer is no JSON object");
    co_return std::move(*parsed);
}

// Secrets go to it: never over a wire that others can read, but on this machine.
bool is_safe(const std::string& url) {
    const auto parsed = http::parse_url(url);
    if (!parsed.place) return false;
    return parsed.place->scheme == "https" ||
           (parsed.place->scheme == "http" && http::is_loopback_host(parsed.place->host));
}

}  // namespace

Oidc::Oidc(asio::any_io_executor executor, OidcOptions options, http::Client& client)
    : executor_(std::move(executor)), options_(std::move(options)), client_(client) {}

asio::awaitable<Result<Oidc::Provider>> Oidc::provider() {
    if (provider_ && Steady::now() - looked_ < look_again) co_return *provider_;
    http::Request request;
    std::string issuer = options_.issuer;
    while (issuer.ends_with('/')) issuer.pop_back();
    request.url = issuer + "/.well-known/openid-configuration";
    const auto answer = co_await ask(client_, std::move(request));
    // What it said before is still good while it does not answer.
    if (!answer && provider_) co_return *provider_;
    if (!answer) co_return answer.error();
    if (text_in(*answer, "issuer") != options_.issuer) {
        co_return unavailable("it calls itself by another name than --oidc-issuer");
    }
    Provider found;
    found.authorize_url = text_in(*answer, "authorization_endpoint");
    found.token_url = text_in(*answer, "token_endpoint");
    found.jwks_url = text_in(*answer, "jwks_uri");
    for (const std::string& url : {found.authorize_url, found.token_url, found.jwks_url}) {
        if (!is_safe(url)) co_return unavailable("it names an address that is not https");
    }
    if (!keyring_ || !provider_ || provider_->jwks_url != found.jwks_url) {
        KeyringOptions keys;
        keys.jwks_url = found.jwks_url;
        keyring_.emplace(executor_, std::move(keys), client_);
    }
    provider_ = found;
    looked_ = Steady::now();
    co_return found;
}

asio::awaitable<Result<std::string>> Oidc::start_url(OidcFlow flow, std::string callback) {
    const auto found = co_await provider();
    if (!found) co_return found.error();
    const connect::Form query{
        {"response_type", "code"},
        {"client_id", options_.client_id},
        {"redirect_uri", callback},
        {"scope", options_.scopes},
        {"state", flow.state},
        {"nonce", flow.nonce},
        {"code_challenge", to_base64url(sha256(flow.verifier))},
        {"code_challenge_method", "S256"}};
    const bool has_query = found->authorize_url.find('?') != std::string::npos;
    co_return found->authorize_url + (has_query ? "&" : "?") + connect::write_form(query);
}

asio::awaitable<Result<std::string>> Oidc::id_token(
    OidcFlow flow, std::string code, std::string callback
) {
    const auto found = co_await provider();
    if (!found) co_return found.error();
    connect::Form form{
        {"grant_type", "authorization_code"},
        {"code", std::move(code)},
        {"redirect_uri", std::move(callback)},
        {"client_id", options_.client_id},
        {"code_verifier", flow.verifier}};
    http::Request request;
    request.method = "POST";
    request.url = found->token_url;
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    if (!options_.client_secret.empty()) {
        const std::string login = connect::percent_encoded(options_.client_id) + ":" +
                                  connect::percent_encoded(options_.client_secret);
        request.headers.push_back({"Authorization", "Basic " + to_base64(login)});
    }
    request.body = connect::write_form(form);
    const auto answer = co_await ask(client_, std::move(request), Errc::unauthenticated);
    if (!answer) co_return answer.error();
    co_return std::string(text_in(*answer, "id_token"));
}

asio::awaitable<Result<OidcPerson>> Oidc::finish(
    OidcFlow flow, std::string code, std::string callback
) {
    const auto text = co_await id_token(flow, std::move(code), std::move(callback));
    if (!text) co_return text.error();
    const auto token = parse_jwt(*text);
    if (!token) co_return token.error();
    const auto keys = co_await keyring_->keys_for(*token);
    if (!keys) co_return keys.error();
    JwtRules rules;
    rules.issuer = options_.issuer;
    rules.audience = options_.client_id;
    if (auto fine = verify_jwt(*token, **keys, rules, wall_now()); !fine) co_return fine.error();
    co_return person_of(token->claims, flow, options_);
}

}  // namespace pawl::api
