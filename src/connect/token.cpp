#include "connect/token.hpp"

#include "base/base64url.hpp"
#include "base/json.hpp"
#include "base/utf8.hpp"
#include "connect/answer_rule.hpp"
#include "connect/form.hpp"
#include "connect/message_refusal.hpp"
#include "connect/signature.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::connect {

namespace {

using std::chrono::seconds;

constexpr std::string_view usual_uri = "https://oauth2.googleapis.com/token";
constexpr seconds lifetime{3600};
constexpr seconds early{60};

}  // namespace

Result<http::Request> make_token_request(
    const Connector& connector, const Account& given, Instant now
) {
    if (!connector.token)
        return refusal("invalid_account", "", connector.title + " needs no access token");
    auto account = open_account(connector, given);
    if (!account) return account.error();
    const std::string& field = connector.token->service_account;
    const std::string place = "credentials." + field;
    const json::value* found = account->credentials.if_contains(field);
    const json::value service = found == nullptr ? json::value() : *found;
    const std::string_view email = text_in(service, "client_email");
    std::string_view uri = text_in(service, "token_uri");
    if (uri.empty()) uri = usual_uri;
    if (email.empty()) return refusal("invalid_account", place, "has no client_email");
    if (!uri.starts_with("https://") && !uri.starts_with("http://"))
        return refusal("invalid_account", place, "has a token_uri that is no URL");
    const auto at = std::chrono::floor<seconds>(now).time_since_epoch();
    json::object head{{"alg", "RS256"}, {"typ", "JWT"}};
    if (const std::string_view id = text_in(service, "private_key_id"); !id.empty())
        head["kid"] = id;
    const json::object claims{
        {"iss", email},
        {"scope", connector.token->scope},
        {"aud", uri},
        {"iat", at.count()},
        {"exp", (at + lifetime).count()}};
    const std::string text =
        to_base64url(json::serialize(head)) + "." + to_base64url(json::serialize(claims));
    auto signature = sign_rs256(text_in(service, "private_key"), text);
    if (!signature) return refusal("invalid_account", place, signature.error().message);
    http::Request request;
    request.method = "POST";
    request.url = with_base(uri, account->settings);
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = write_form(
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
         {"assertion", text + "." + to_base64url(*signature)}}
    );
    return request;
}

Result<AccessToken> read_token_answer(const http::Response& answer, Instant now) {
    auto parsed = parse_json(answer.body);
    const json::value body = parsed ? std::move(*parsed) : json::value();
    const std::string_view token = text_in(body, "access_token");
    if (answer.status == 200 && !token.empty()) {
        constexpr std::int64_t seconds_max = 24 * 3600;
        const auto left = whole_number(find(body, "expires_in")).value_or(0);
        const seconds usable = seconds(std::clamp<std::int64_t>(left, 0, seconds_max)) - early;
        return AccessToken{std::string(token), now + std::max(usable, seconds(0))};
    }
    std::string_view said = text_in(body, "error_description");
    if (said.empty()) said = text_in(body, "error");
    const int status = answer.status;
    const bool busy = status == 408 || status == 429 || status >= 500;
    const bool later = busy || is_foreign(answer, body) || (status < 300 && !body.is_object());
    return refusal(
        "invalid_account",
        "",
        fmt::format(
            "no access token, status {}{}{}",
            answer.status,
            said.empty() ? "" : ": ",
            as_utf8(said, 500)
        ),
        later ? Errc::unavailable : Errc::invalid
    );
}

}  // namespace pawl::connect
