#pragma once

#include "http/client.hpp"
#include "steps/step_request.hpp"

#include <string>
#include <string_view>

namespace pawl::steps {

namespace asio = boost::asio;

// What the providers of messages share.

// `base` without a slash at its end, or `usual` when there is none.
std::string base_url(std::string_view base, std::string_view usual);

// A POST to the operator's provider.
http::Request to_provider(std::string url, Duration timeout);

StepOutcome no_provider(std::string_view channel);

// {message_id, provider}
StepOutcome sent(std::string_view provider, std::string_view message_id);

// An answer in JSON: its object when it is a success, else the error, in the provider's own words.
struct Answer {
    json::object body;
    std::optional<StepError> error;
};
Answer read_answer(const http::Outcome& outcome);

// What `pawl dev` has instead of a provider: the message goes to the function `channel` of the
// sandbox.
asio::awaitable<StepOutcome> send_to_sandbox(
    http::Client& client,
    std::string url,
    std::string key,
    std::string channel,
    json::object message,
    Duration timeout
);

// What comes of it, without the operator's key: a provider may repeat what it was sent.
asio::awaitable<StepOutcome> without_key(std::string key, asio::awaitable<StepOutcome> sending);

}  // namespace pawl::steps
