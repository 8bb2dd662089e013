#pragma once

#include "connect/connector.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>

namespace pawl::connect {

// What an answer means for the message.
struct Verdict {
    Means means = Means::unknown;
    std::string external_id;        // of what was accepted, where the provider gives one
    std::optional<Duration> after;  // how long to wait before a retry
    std::string code;               // of what was not: the provider's word, or "http_503"
    std::string message;            // for a person
    bool suppress = false;          // this address will never work
    bool renew_token = false;       // retry with a new access token
    bool fallback = false;          // refused, and another connector may send it
    bool maybe = false;             // of a retry: the provider may have the message
};

// `now` turns a date in Retry-After into a wait. Of SMTP, the status is that of the last reply.
Verdict read_answer(const Connector& connector, const http::Response& answer, Instant now);

// No answer came. `arrived`: the provider may have got the request. A retry is safe if not, or if
// the provider recognises the repeat (within Connector::replay_window, which the caller watches).
Verdict no_answer(const Connector& connector, bool arrived);

}  // namespace pawl::connect
