#pragma once

#include "api/auth/principal.hpp"
#include "api/http/request_target.hpp"
#include "base/json.hpp"
#include "http/server.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

// A request on its way to a handler: routed, authenticated and authorized.
struct Call {
    http::ServerRequest request;
    Target target;
    std::vector<std::string> params;  // what stood for {name} in the pattern, in order
    Principal principal;
    std::string request_id;
    std::string idempotency_key;  // empty: none was sent

    // The body as a JSON object; an empty body is an empty object when `optional`. Throws Refused.
    json::object object(bool optional = false) const;
};

http::ServerResponse json_response(int status, const json::value& body);

}  // namespace pawl::api
