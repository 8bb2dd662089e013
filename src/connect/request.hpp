#pragma once

#include "connect/account.hpp"
#include "connect/sms_parts.hpp"
#include "http/client_request.hpp"

#include <optional>
#include <string>

namespace pawl::connect {

// A message that is about to go out, rendered.
struct Outgoing {
    std::string message_id;  // a UUID, the same for every try
    std::string to;          // empty: settings.to, where the connector has it
    std::string channel;
    // {text, subject, html, messages, title, body, data}, as the channel takes it
    json::value content;
    json::value person;           // {key, ...}, or null
    std::string hook_url;         // where the provider reports; empty: nowhere
    std::string unsubscribe_url;  // of an email; RFC 8058
    std::string access_token;     // where the connector has `token`
    Instant at{};
};

// What to send. The request is not trusted: a tenant's settings may say where it goes.
struct Call {
    http::Request request;
    std::string external_id;  // known before it is sent: the Message-ID of an email by SMTP
    SmsParts sms;             // of a text message
    // Where the provider can be asked about it later: where it goes, and what it says, if that is
    // compared (connect/inquiry.hpp).
    std::string to;
    std::optional<std::string> text;
};

// Pure: the same message gives the same bytes, so that a repeat is one for the provider too. The
// reason of a refusal (connect/message_refusal.hpp) says whether content, address or account is
// wrong.
Result<Call> make_request(
    const Connector& connector, const Account& account, const Outgoing& message
);

// A request as a connector writes it, with the values of its templates.
Result<http::Request> fill_request(
    const RequestShape& shape, const json::object& settings, const Roots& roots
);

}  // namespace pawl::connect
