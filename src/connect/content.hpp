#pragma once

#include "connect/email_message.hpp"
#include "connect/request.hpp"

#include <optional>

namespace pawl::connect {

// A message that fits the provider's own rules, as templates see it.
struct Prepared {
    json::value to;
    json::value content;
    json::value data;   // of the content, with our id as pawl_message: texts only
    json::value tags;   // the same as [{name, value}]
    json::value email;  // {from, from_text, to, to_text, reply_to, reply_to_text, headers}
    json::value sms;    // {encoding, parts}
    SmsParts parts;
    std::optional<Email> mail;
};

// Checks address and content; `account` is open. The error names the place and the remedy.
Result<Prepared> prepare(
    const Connector& connector, const Account& account, const Outgoing& message
);

// The address in the form that the provider takes.
Result<std::string> check_address(AddressKind kind, std::string_view address);

// Parts of `prepare`: each completes what its kind of content needs.
Result<void> prepare_line(const Connector& connector, Prepared& prepared);
Result<void> prepare_sms(const Connector& connector, Prepared& prepared);
Result<void> prepare_push(const Connector& connector, Prepared& prepared);
Result<void> prepare_email(
    const Connector& connector, const Account& account, const Outgoing& message, Prepared& prepared
);

}  // namespace pawl::connect
