#pragma once

#include "api/http/api_call.hpp"
#include "api/http/problem.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

using CallHandler = std::function<asio::awaitable<http::ServerResponse>(Call)>;

// What a route may do and who may use it. There is no default: a route without an access cannot be
// written.
struct Route {
    std::string method;
    std::string pattern;         // "/v1/runs/{id}"
    std::optional<Scope> scope;  // none: public
    CallHandler handler;
    // Refusals of this route are answered its own way instead of as problem+json.
    std::function<http::ServerResponse(const Problem&)> refused = {};
    bool cross_origin = true;  // pages of other origins may read it (CORS)
    bool keyed = true;         // an Idempotency-Key is looked at before the handler
    // Of a public route: throws Refused unless what stands in the path or query proves that the
    // request may be made; whose it is then, 0: not known. Called before a long body is read;
    // without it none is. The call outlives it.
    std::function<asio::awaitable<std::int32_t>(const Call&)> prove = {};
    bool secret_answer = false;  // kept for a repeated request only where it can be encrypted
};

struct Match {
    const Route* route = nullptr;
    std::vector<std::string> params;
    // When only the method is wrong: those that are not, and a route of that path.
    std::vector<std::string> allowed;
    const Route* other = nullptr;
};

class Router {
public:
    void add(Route route);
    // HEAD is answered by GET's route. A literal segment is better than a {name}.
    Match match(std::string_view method, const std::vector<std::string>& segments) const;
    const std::vector<Route>& routes() const { return routes_; }

private:
    std::vector<Route> routes_;
    std::vector<std::vector<std::string>> patterns_;  // segments of each route
};

}  // namespace pawl::api
