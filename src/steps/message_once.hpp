#pragma once

#include "connect/answer.hpp"
#include "connect/request.hpp"
#include "http/client.hpp"
#include "steps/access_tokens.hpp"

#include <memory>

namespace pawl::steps {

namespace asio = boost::asio;

// What became of a call of a provider.
connect::Verdict verdict_of(const connect::Connector& connector, const http::Outcome& outcome);

// A message outside of any run.
struct SingleMessage {
    std::int32_t tenant = 1;
    std::shared_ptr<const connect::Connector> connector;
    std::string account_name;
    connect::Account account;
    connect::Outgoing message;
    Duration timeout = std::chrono::seconds(30);
};

// Hands it over, once. An error: it was not sent, since something is wrong with it; the reason says
// whether that is the content, the address or the account (connect/message_refusal.hpp).
asio::awaitable<Result<connect::Verdict>> hand_over_once(
    http::Client& client, AccessTokens& tokens, SingleMessage single
);

}  // namespace pawl::steps
