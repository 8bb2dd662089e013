#pragma once

#include "http/client.hpp"
#include "steps/message_settings.hpp"
#include "steps/step_request.hpp"

namespace pawl::steps {

namespace asio = boost::asio;

// Sends one email: {from, to, subject, text, html, ..., idempotency_key}. The result has the
// provider's `message_id`. Where the provider knows idempotency keys, an unknown outcome is
// retryable; elsewhere it is ambiguous.
asio::awaitable<StepOutcome> send_email(
    http::Client& client, EmailSettings settings, json::object message, Duration timeout
);

}  // namespace pawl::steps
