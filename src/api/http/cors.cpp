#include "api/http/cors.hpp"

#include <algorithm>

namespace pawl::api {

http::Headers cors_headers(const CorsOptions& options, const http::ServerRequest& request) {
    const auto listed = [&](const std::string& origin) {
        return std::find(options.origins.begin(), options.origins.end(), origin) !=
               options.origins.end();
    };
    const bool any = listed("*");
    const std::string* origin = http::find_header(request.headers, "Origin");
    if (!any && (origin == nullptr || !listed(*origin))) return {};
    http::Headers headers;
    headers.push_back({"Access-Control-Allow-Origin", any ? "*" : *origin});
    if (!any) headers.push_back({"Vary", "Origin"});
    if (origin == nullptr) return headers;
    headers.push_back(
        {"Access-Control-Expose-Headers",
         "X-Request-Id, Location, Link, Retry-After, Idempotent-Replayed"}
    );
    return headers;
}

bool is_preflight(const http::ServerRequest& request) {
    return request.method == "OPTIONS";
}

http::ServerResponse preflight(const CorsOptions& options, const http::ServerRequest& request) {
    http::ServerResponse response;
    response.headers = cors_headers(options, request);
    response.headers.push_back({"Content-Type", "text/plain; charset=utf-8"});
    response.body = "ok";
    if (response.headers.size() == 1) return response;
    response.headers.push_back({"Access-Control-Allow-Methods", "GET, POST, OPTIONS"});
    const std::string* asked = http::find_header(request.headers, "Access-Control-Request-Headers");
    response.headers.push_back(
        {"Access-Control-Allow-Headers",
         asked != nullptr ? *asked
                          : "authorization, x-client-info, apikey, content-type, idempotency-key"}
    );
    response.headers.push_back({"Access-Control-Max-Age", "86400"});
    return response;
}

}  // namespace pawl::api
