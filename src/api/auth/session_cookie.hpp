#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::api {

// The token of a browser that is signed in, in its cookie. Programs send keys instead.

std::string make_session_token();
// The value of a request's cookie; nothing: there is none.
std::optional<std::string_view> cookie_of(const http::Headers& headers, std::string_view name);
// Of a request's cookies; nothing when there is none that looks like ours.
std::optional<std::string> session_token_of(const http::Headers& headers);

struct CookieParams {
    std::string base_path;  // "" or "/pawl": the cookie goes nowhere else
    bool secure = false;    // never over plain HTTP
    Duration life{};
};
// The value of Set-Cookie: no script reads it, and no other site makes a browser send it.
std::string set_cookie(std::string_view token, const CookieParams& params);
// The value that removes it.
std::string drop_cookie(const CookieParams& params);

// What a page must send along with a write, beside the cookie: it follows from the token, and a
// page of another site cannot know it.
std::string csrf_of(std::string_view token);

// Whether two texts are the same, in a time that does not say where they differ.
bool same_secret(std::string_view a, std::string_view b);

// Whether a request that has an Origin comes from a page of this server: of the host that it names,
// or of the public URL.
bool is_same_origin(const http::Headers& headers, std::string_view public_url);
// Whether it came by HTTPS, here or to the proxy in front.
bool came_by_https(const http::Headers& headers, std::string_view public_url);

}  // namespace pawl::api
