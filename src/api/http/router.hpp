#pragma once

#include "api/http/api_call.hpp"
#include "api/http/problem.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

using CallHandler = std::function<asio::awaitable<http::ServerResponse>(Call)>;

// Whose changes by a route stand in the audit list: those that programs make all the time are left
// out, and those that a page makes by itself.
enum class Noted { always, of_people, never };

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
    bool any_caller = false;     // without a scope: everyone who proves who they are
    Noted noted = Noted::always;
    bool beside_page = false;  // a page of the web UI has this address too: for browsers
};

// Public, and for no page of another origin.
inline Route public_route(std::string method, std::string pattern, CallHandler handler) {
    return {std::move(method), std::move(pattern), {}, std::move(handler), {}, false, false};
}

// The answer has a secret in it.
inline Route with_secret(Route route) {
    route.secret_answer = true;
    return route;
}

// Of programs, all the time.
inline Route as_traffic(Route route) {
    route.noted = Noted::of_people;
    return route;
}

struct Match {
    const Route* route = nullptr;
    std::vector<std::string> params;
    // When only the method is wrong: those that are not, and a route of that path.
    std::vector<std::string> allowed;
    const Route* other = nullptr;
};

class Router {
public:
    // Answers a request that fits no route; nothing: it is not found.
    using Otherwise = std::function<std::optional<http::ServerResponse>(
        const http::ServerRequest& request, const Target& target
    )>;

    void add(Route route);
    void otherwise(Otherwise answer) { otherwise_ = std::move(answer); }
    std::optional<http::ServerResponse> answer_otherwise(
        const http::ServerRequest& request, const Target& target
    ) const {
        return otherwise_ ? otherwise_(request, target) : std::nullopt;
    }
    // HEAD is answered by GET's route. A literal segment is better than a {name}.
    Match match(std::string_view method, const std::vector<std::string>& segments) const;
    const std::vector<Route>& routes() const { return routes_; }

private:
    std::vector<Route> routes_;
    std::vector<std::vector<std::string>> patterns_;                    // segments of each route
    std::unordered_map<std::string, std::vector<std::size_t>> by_key_;  // by length and segment 2
    std::vector<std::size_t> named_;  // those whose second segment is a {name}
    Otherwise otherwise_;
};

}  // namespace pawl::api
