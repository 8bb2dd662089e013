#include "api/http/service.hpp"

#include "api/http/audited.hpp"
#include "api/http/base_path.hpp"
#include "api/http/idempotent.hpp"
#include "api/http/log_path.hpp"
#include "api/http/problem.hpp"
#include "api/http/readable.hpp"
#include "api/http/stream_guard.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pawl::api {

namespace {

constexpr std::size_t request_id_max = 128;
constexpr int go_on = 0;  // not a status: the body may come

// The caller's, so that one id follows a request through several programs; else a new one.
std::string request_id_of(const http::ServerRequest& request, Rng& rng) {
    const std::string* given = http::find_header(request.headers, "X-Request-Id");
    if (given != nullptr && given->size() <= request_id_max && http::is_token(*given)) {
        return *given;
    }
    return fmt::format("{:016x}", rng.next());
}

Problem wrong_method(const http::ServerRequest& request, std::vector<std::string> allowed) {
    std::sort(allowed.begin(), allowed.end());
    Problem problem;
    problem.status = 405;
    problem.code = "method_not_allowed";
    problem.detail = fmt::format(
        "{} is not allowed here; allowed: {}", request.method, fmt::join(allowed, ", ")
    );
    problem.headers.push_back({"Allow", fmt::format("{}", fmt::join(allowed, ", "))});
    return problem;
}

// What is no route's, and what a route shares with a page: a program says who it is.
bool may_be_page(const Match& match, const http::ServerRequest& request) {
    const Route* route = match.route != nullptr ? match.route : match.other;
    if (route == nullptr) return true;
    return route->beside_page && http::find_header(request.headers, "Authorization") == nullptr &&
           http::find_header(request.headers, "apikey") == nullptr;
}

bool is_quiet(std::string_view target) {
    return target == "/livez" || target == "/readyz" || target == "/metrics";
}

void log_access(
    const http::ServerRequest& request,
    const http::ServerResponse& response,
    const std::string& request_id,
    Steady::time_point begun
) {
    const auto took = std::chrono::duration<double, std::milli>(Steady::now() - begun).count();
    log::info(
        "request",
        {log::field("method", request.method),
         log::field("path", log_path(request.target)),
         log::field("status", response.status),
         log::field("ms", took),
         log::field("peer", request.peer),
         log::field("request_id", request_id)}
    );
}

}  // namespace

Service::Service(
    ServiceOptions options,
    Router router,
    Authenticate authenticate,
    store::Idempotency& idempotency
)
    : options_(std::move(options)),
      router_(std::move(router)),
      authenticate_(std::move(authenticate)),
      idempotency_(idempotency) {}

asio::awaitable<http::ServerResponse> Service::handle(http::ServerRequest request) {
    return process(std::move(request), nullptr);
}

asio::awaitable<http::Entry> Service::enter(http::ServerRequest head) {
    http::Entry entry;
    auto response = co_await process(std::move(head), &entry);
    if (response.status != go_on) entry.refused = std::move(response);
    co_return entry;
}

asio::awaitable<http::ServerResponse> Service::process(
    http::ServerRequest request, http::Entry* entry
) {
    const auto begun = Steady::now();
    const std::string request_id = request_id_of(request, rng_);
    request.target = without_base(std::move(request.target), options_.base_path);
    http::Headers cors = cors_headers(options_.cors, request);
    std::optional<http::ServerRequest> seen;
    if (options_.access_log && !is_quiet(request.target)) {
        seen = http::ServerRequest{request.method, request.target, {}, {}, request.peer};
    }
    http::ServerResponse response;
    auto target = parse_target(request.target);
    if (is_preflight(request)) {
        response = preflight(options_.cors, request);
    } else if (!target) {
        response = to_response(to_problem(target.error()), request_id);
    } else {
        Match match = router_.match(request.method, target->segments);
        if (match.route != nullptr && !match.route->cross_origin) cors.clear();
        response = co_await answer(
            std::move(request), std::move(*target), std::move(match), request_id, entry
        );
        if (response.status == go_on) co_return response;
        for (http::Header& header : cors) response.headers.push_back(std::move(header));
    }
    response.headers.push_back({"X-Request-Id", request_id});
    if (seen) log_access(*seen, response, request_id, begun);
    if (options_.on_answered) options_.on_answered(response.status, Steady::now() - begun);
    co_return response;
}

asio::awaitable<http::ServerResponse> Service::answer(
    http::ServerRequest request,
    Target target,
    Match match,
    std::string request_id,
    http::Entry* entry
) {
    if (may_be_page(match, request)) {
        if (auto page = router_.answer_otherwise(request, target)) co_return std::move(*page);
    }
    if (match.route == nullptr && match.allowed.empty()) {
        Problem problem{404, "not_found", "there is nothing here; see /openapi.json", {}, {}};
        co_return to_response(problem, request_id);
    }
    if (match.route == nullptr) {
        const Problem problem = wrong_method(request, match.allowed);
        if (match.other->refused) co_return match.other->refused(problem);
        co_return to_response(problem, request_id);
    }
    Call call;
    call.request = std::move(request);
    call.target = std::move(target);
    call.params = std::move(match.params);
    call.request_id = request_id;
    Problem problem;
    try {
        refuse_unreadable(call);
        co_return co_await run(*match.route, std::move(call), entry);
    } catch (const Refused& refused) {
        problem = refused.problem();
    } catch (const Failure& failure) {
        problem = to_problem(failure);
        log::error(
            "a request failed",
            {log::field("request_id", request_id),
             log::field("route", match.route->pattern),
             log::field("error", to_string(failure.error()))}
        );
    }
    if (match.route->refused) co_return match.route->refused(problem);
    co_return to_response(problem, request_id);
}

asio::awaitable<Principal> Service::admit(
    std::optional<Scope> scope, const http::Headers& headers
) {
    Principal principal = co_await authenticate_(headers);
    if (!scope || principal.scopes.allows(*scope)) co_return principal;
    Problem problem{403, "forbidden", "", {}, {}};
    problem.detail = fmt::format(
        "this needs the scope {}; '{}' has: {}",
        name(*scope),
        principal.name,
        to_string(principal.scopes)
    );
    problem.more["values"] = {{"scope", name(*scope)}};
    throw Refused(std::move(problem));
}

asio::awaitable<http::ServerResponse> Service::run(
    const Route& route, Call call, http::Entry* entry
) {
    const bool proved = route.scope || route.any_caller;
    if (proved) {
        call.principal = co_await admit(route.scope, call.request.headers);
        refuse_foreign_write(call, options_.public_url);
    } else if (entry != nullptr && route.prove) {
        entry->tenant = co_await route.prove(call);
    } else if (entry != nullptr) {
        refuse(
            413,
            "body_too_large",
            fmt::format(
                "this route takes no body, or one of at most {} bytes",
                http::ServerOptions{}.free_body_bytes
            )
        );
    }
    if (entry != nullptr) {
        if (proved) entry->tenant = call.principal.tenant;
        co_return http::ServerResponse{go_on};
    }
    if (!options_.audit || !is_audited(route, call)) {
        co_return co_await perform(route, std::move(call));
    }
    store::AuditEntry did = audit_entry(route, call);
    http::ServerResponse response = co_await perform(route, std::move(call));
    if (response.status < 400) {
        did.status = response.status;
        co_await options_.audit(std::move(did));
    }
    co_return response;
}

asio::awaitable<http::ServerResponse> Service::perform(const Route& route, Call call) {
    if (route.keyed && call.request.method == "POST") {
        call.idempotency_key = idempotency_key_of(call.request.headers);
    }
    if (!call.idempotency_key.empty()) {
        co_return co_await answer_once(idempotency_, options_.vault, route, std::move(call));
    }
    StreamGuard guard;
    const bool guarded = route.scope && call.request.method == "GET";
    if (guarded) {
        guard.principal = call.principal;
        guard.headers = credential_headers(call.request.headers);
        guard.recheck_every = options_.recheck_every;
        guard.admit = [this, scope = *route.scope](const http::Headers& headers) {
            return admit(scope, headers);
        };
    }
    http::ServerResponse response = co_await route.handler(std::move(call));
    if (response.stream && guarded) guard_stream(response, std::move(guard));
    co_return response;
}

}  // namespace pawl::api
