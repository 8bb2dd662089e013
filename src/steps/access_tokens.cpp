#include "steps/access_tokens.hpp"

#include "base/clock.hpp"
#include "http/date.hpp"

#include <fmt/core.h>

namespace pawl::steps {

namespace {

constexpr std::size_t tokens_max = 10'000;

std::string key_of(std::int32_t tenant, std::string_view connector, std::string_view account) {
    return fmt::format("{}/{}/{}", tenant, connector, account);
}

}  // namespace

asio::awaitable<TokenFound> AccessTokens::find(
    std::int32_t tenant,
    std::string account_name,
    const connect::Connector& connector,
    const connect::Account& account
) {
    const std::string key = key_of(tenant, connector.name, account_name);
    const auto known = tokens_.find(key);
    if (known != tokens_.end() && known->second.expires_at > wall_now()) {
        co_return TokenFound{known->second.text, {}};
    }
    auto request = connect::make_token_request(connector, account, wall_now());
    if (!request) co_return TokenFound{request.error(), {}};
    request->tenant = tenant;
    const http::Outcome outcome = co_await client_.send(std::move(*request));
    if (!outcome) co_return TokenFound{Error{Errc::unavailable, outcome.error().message, {}}, {}};
    const Instant now = wall_now();
    auto token = connect::read_token_answer(*outcome, now);
    if (!token) {
        co_return TokenFound{token.error(), http::find_retry_after(outcome->headers, now)};
    }
    if (tokens_.size() >= tokens_max) tokens_.clear();
    std::string text = token->text;
    tokens_.insert_or_assign(key, std::move(*token));
    co_return TokenFound{std::move(text), {}};
}

void AccessTokens::forget(
    std::int32_t tenant, const std::string& connector, const std::string& account_name
) {
    tokens_.erase(key_of(tenant, connector, account_name));
}

}  // namespace pawl::steps
