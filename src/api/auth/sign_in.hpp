#pragma once

#include "api/auth/attempts.hpp"
#include "api/auth/principal.hpp"
#include "http/message.hpp"
#include "store/repos/browser_sessions.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace pawl::api {

namespace asio = boost::asio;

struct SessionTimes {
    Duration idle = std::chrono::hours(8);
    Duration life = std::chrono::hours(24 * 7);
};

// Signing in and out of the web UI: what the routes of sessions share. Lives on the API's thread.
struct SignIn {
    SessionTimes times;
    std::string base_path;
    Attempts attempts;
    // Who has this API key; of the authenticator.
    std::function<asio::awaitable<Result<Principal>>(std::string key)> prove;
    // Who makes a request with these headers; likewise.
    std::function<asio::awaitable<Result<Principal>>(http::Headers headers)> look;
    // A session was ended or changed, by the hash of its token.
    std::function<void(const std::string& hash)> forget;
};

}  // namespace pawl::api
