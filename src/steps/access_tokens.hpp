#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "connect/token.hpp"
#include "http/client.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace pawl::steps {

namespace asio = boost::asio;

struct TokenFound {
    Result<std::string> token;      // Errc::unavailable: try again later
    std::optional<Duration> after;  // so much later, where the answer says it
};

// Access tokens of accounts whose connector needs one, until they expire. Lives on one thread.
class AccessTokens {
public:
    explicit AccessTokens(http::Client& client) : client_(client) {}

    // The arguments outlive the call.
    asio::awaitable<TokenFound> find(
        std::int32_t tenant,
        std::string account_name,
        const connect::Connector& connector,
        const connect::Account& account
    );
    // The provider does not take it any more.
    void forget(std::int32_t tenant, const std::string& connector, const std::string& account_name);

private:
    http::Client& client_;
    std::map<std::string, connect::AccessToken> tokens_;
};

}  // namespace pawl::steps
