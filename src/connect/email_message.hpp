#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "http/client_request.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::connect {

namespace json = boost::json;

// "Ann Lee <ann@example.com>", or only the address.
struct Address {
    std::string name;
    std::string address;
};

struct Email {
    Address from;
    std::vector<Address> to, cc, bcc;
    std::vector<Address> reply_to;
    std::string subject;
    std::string text;
    std::string html;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string idempotency_key;
};

// Reads {from, to, cc, bcc, reply_to, subject, text, html, headers, idempotency_key}. Addresses are
// a text or a list of texts. Nothing in it can begin a header of its own.
Result<Email> read_email(const json::object& message, std::string_view usual_from);

// "Ann Lee <ann@example.com>" as JSON APIs take it.
std::string to_text(const Address& address);

// As SMTP carries them: ASCII, in short lines. The Message-ID comes from the idempotency key, so
// that a second copy can be told to be one.
http::Headers mail_headers(const Email& email, Instant at);
std::string message_id(const Email& email);
// The message for an SMTP server, without a login.
http::Mail to_mail(Email email, Instant at);

}  // namespace pawl::connect
