#pragma once

#include "http/server.hpp"

#include <string>
#include <vector>

namespace pawl::api {

// Which web pages of other origins may call: none unless they are named. "*" allows any; nothing
// here is authorized by a cookie.
struct CorsOptions {
    std::vector<std::string> origins;
};

// The headers of an answer to a page of `origin`; none when it is not allowed or there is none.
http::Headers cors_headers(const CorsOptions& options, const http::ServerRequest& request);

bool is_preflight(const http::ServerRequest& request);
http::ServerResponse preflight(const CorsOptions& options, const http::ServerRequest& request);

}  // namespace pawl::api
