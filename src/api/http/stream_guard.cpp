#include "api/http/stream_guard.hpp"

#include "api/http/problem.hpp"
#include "api/http/sse.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace pawl::api {

namespace {

constexpr auto patience = std::chrono::seconds(30);

struct Watch {
    explicit Watch(StreamGuard given) : guard(std::move(given)) {
        // Within the leeway for clocks a token is good after its end; then the authenticator says
        // when it is over.
        if (guard.principal.expires <= wall_now()) guard.principal.expires = Instant::max();
    }

    StreamGuard guard;
    Steady::time_point proved = Steady::now();
    Problem why;

    bool has_expired() const { return wall_now() >= guard.principal.expires; }
    Steady::time_point next() const {
        const auto now = Steady::now();
        const auto regular = now + guard.recheck_every;
        if (guard.principal.expires == Instant::max()) return regular;
        return std::min<Steady::time_point>(regular, now + (guard.principal.expires - wall_now()));
    }
};

std::optional<Steady::time_point> end_with(Watch& watch, Problem why) {
    watch.why = std::move(why);
    return std::nullopt;
}

asio::awaitable<std::optional<Steady::time_point>> look_again(std::shared_ptr<Watch> watch) {
    if (watch->has_expired()) {
        co_return end_with(*watch, {401, "unauthenticated", "the token has expired", {}, {}});
    }
    Problem problem;
    try {
        const Principal now = co_await watch->guard.admit(watch->guard.headers);
        if (now.tenant == watch->guard.principal.tenant) {
            watch->proved = Steady::now();
            co_return watch->next();
        }
        problem = {403, "forbidden", "the token is of another tenant now", {}, {}};
    } catch (const Refused& refused) {
        problem = refused.problem();
    } catch (const Failure& failure) {
        problem = to_problem(failure);
    }
    const bool sure = problem.status == 401 || problem.status == 403;
    if (sure || Steady::now() - watch->proved >= patience) {
        co_return end_with(*watch, std::move(problem));
    }
    co_return watch->next();
}

using Stream = std::function<asio::awaitable<void>(http::BodyStream&)>;

asio::awaitable<void> write_guarded(
    Stream stream, std::shared_ptr<Watch> watch, http::BodyStream& out
) {
    out.guard([watch] { return look_again(watch); }, watch->next());
    co_await stream(out);
    if (!out.ended_by_guard()) co_return;
    json::object body;
    body["status"] = watch->why.status;
    body["code"] = watch->why.code;
    body["detail"] = watch->why.detail;
    const std::string text = sse_message("", "refused", body);
    co_await out.write_last(text);
}

}  // namespace

http::Headers credential_headers(const http::Headers& headers) {
    http::Headers found;
    for (const char* name : {"Authorization", "apikey", "Cookie"}) {
        if (const std::string* value = http::find_header(headers, name)) {
            found.push_back({name, *value});
        }
    }
    return found;
}

void guard_stream(http::ServerResponse& response, StreamGuard guard) {
    auto watch = std::make_shared<Watch>(std::move(guard));
    response.stream = [stream = std::move(response.stream), watch](http::BodyStream& out) {
        return write_guarded(stream, watch, out);
    };
}

}  // namespace pawl::api
