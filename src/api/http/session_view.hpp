#pragma once

#include "api/auth/session_cookie.hpp"
#include "api/http/api_call.hpp"
#include "store/repos/browser_sessions.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::api {

namespace asio = boost::asio;

struct Services;

// Who is signed in and what they may do, as GET /v1/session answers it.
asio::awaitable<json::object> session_view(Services& services, Principal principal);

// How the cookie of the answer to a call is written.
CookieParams cookie_params(const Services& services, const Call& call);

// Begins a session for whom was proved, and answers with it: as JSON, with the cookie. The call
// outlives it.
asio::awaitable<http::ServerResponse> begin_session(
    Services& services, const Call& call, store::NewSession session, int status
);

}  // namespace pawl::api
