#pragma once

#include "http/client.hpp"
#include "steps/message_settings.hpp"
#include "steps/step_request.hpp"

namespace pawl::steps {

namespace asio = boost::asio;

// Sends one text message: {to, body, from, idempotency_key}. The result has the provider's
// `message_id`. No provider of text messages knows idempotency keys, so whatever may have been
// accepted is ambiguous.
asio::awaitable<StepOutcome> send_sms(
    http::Client& client, SmsSettings settings, json::object message, Duration timeout
);

}  // namespace pawl::steps
