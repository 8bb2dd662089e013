#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// What a client is asked to send: plain data, for layers that make requests and send none.
namespace pawl::http {

// What a message says, in one form.
struct MailForm {
    std::string type;  // "text/plain"
    std::string text;  // UTF-8
};

// Makes a request a message for an SMTP server.
struct Mail {
    std::string from;
    std::vector<std::string> to;
    std::string user;  // empty: without a login
    std::string password;
    bool needs_tls = true;  // not on a connection that others can read
    // As they go out, encoded and folded already; those of MIME are added.
    Headers headers;
    std::vector<MailForm> forms;  // at least one; all say the same, the best one last
};

class Place;

struct Request {
    std::string method = "GET";
    std::string url;
    Headers headers;
    std::string body;
    Duration timeout = std::chrono::seconds(30);  // of everything, waiting for a free slot included
    Duration connect_timeout = std::chrono::seconds(10);
    std::size_t response_bytes_max = 1 << 20;  // after decompression
    bool cut_response = false;  // what is beyond that is left out, instead of being a fault
    // The URL comes from the operator's settings, not from a user: it may lead anywhere.
    bool trusted = false;
    std::int32_t tenant = 0;  // tenants take turns; 0: the process itself
    // How often a redirect is followed (see http/redirect.hpp). -1: it is an answer like any other.
    int redirects_max = -1;
    // Given: `url` is smtp:// (STARTTLS) or smtps://, and the response has the last reply: its code
    // as the status and its text as the body.
    std::optional<Mail> mail;
    // Taken before (Client::enter). Empty: it waits for one.
    std::shared_ptr<Place> place;
};

}  // namespace pawl::http
