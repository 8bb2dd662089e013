#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/sse.hpp"
#include "api/services.hpp"
#include "app/runs/folded_run.hpp"
#include "app/views/event_json.hpp"
#include "app/views/run_json.hpp"
#include "base/number_text.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl::api {

namespace {

constexpr Duration resume_max = std::chrono::minutes(10);

std::string last_event_id(const Call& call) {
    const std::string* id = http::find_header(call.request.headers, "Last-Event-ID");
    return id == nullptr ? std::string() : *id;
}

bool closes(EventType type) {
    return type == EventType::run_completed || type == EventType::run_failed ||
           type == EventType::run_cancelled;
}

std::string message_of(const Event& event) {
    return sse_message(std::to_string(event.seq), name(event.type), app::to_json(event));
}

// --- One run ---

asio::awaitable<void> write_end(
    Services& services, store::Tenant tenant, RunId run, http::BodyStream& out
) {
    const auto found = or_refuse(co_await app::find_run(services.app.repos().store, tenant, run));
    const std::string text = sse_message("", "end", app::to_json(found));
    co_await out.write(text);
}

asio::awaitable<void> write_run(
    Services& services, store::Tenant tenant, RunId run, std::int32_t after, http::BodyStream& out
) {
    const auto reader = services.run_watch.follow(run, after, [&out] { out.wake(); });
    // A closed run has no news for a reader that has read it all.
    const auto found = or_refuse(co_await app::find_run(services.app.repos().store, tenant, run));
    bool read_all = app::is_closed(found);
    if (read_all)
        read_all = (co_await services.app.repos().tail.events_after(0, {{run, after}}, 1)).empty();
    if (read_all) {
        co_await write_end(services, tenant, run, out);
        co_return;
    }
    std::string text(sse_opening);
    while (!out.closed()) {
        bool over = false;
        while (!reader->news.empty()) {
            text += message_of(reader->news.front());
            over = over || closes(reader->news.front().type);
            reader->news.pop_front();
        }
        const bool sent = co_await out.write(text);
        if (!sent) co_return;
        if (over) {
            co_await write_end(services, tenant, run, out);
            co_return;
        }
        text.clear();
        if (reader->news.empty()) co_await out.wait(Steady::now() + sse_heartbeat_every);
        if (reader->news.empty()) text = sse_heartbeat;
    }
}

asio::awaitable<http::ServerResponse> stream_run(Services& services, Call call) {
    only_params(call, {});
    const store::Tenant tenant = tenant_of(call);
    const auto run =
        or_refuse(co_await app::find_run(services.app.repos().store, tenant, run_param(call)));
    std::int32_t after = -1;
    const std::string last = last_event_id(call);
    if (!last.empty()) {
        const auto seen = read_number<std::int32_t>(last);
        if (!seen) refuse_parameter("Last-Event-ID", "must be the id of an event of this stream");
        after = *seen;
    }
    const auto place = services.long_requests.take(tenant.id);
    http::ServerResponse response;
    response.headers = sse_headers();
    response.stream = [&services, tenant, id = run.id, after, place](http::BodyStream& out) {
        return write_run(services, tenant, id, after, out);
    };
    co_return response;
}

// --- All runs ---

// Where an event stands: "microseconds.run.seq".
std::string id_of(const store::TailEvent& event) {
    return fmt::format(
        "{}.{}.{}", event.at.time_since_epoch().count(), to_string(event.run), event.seq
    );
}

struct Place {
    Instant at{};
    RunId run;
    std::int32_t seq = 0;
};

std::optional<Place> place_of(std::string_view id) {
    const std::size_t first = std::min(id.find('.'), id.size());
    const std::size_t second = std::min(id.find('.', first + 1), id.size());
    std::int64_t microseconds = 0;
    std::from_chars(id.data(), id.data() + first, microseconds);
    if (second == id.size()) return std::nullopt;
    const auto run = parse_uuid(id.substr(first + 1, second - first - 1));
    std::int32_t seq = -1;
    std::from_chars(id.data() + second + 1, id.data() + id.size(), seq);
    if (microseconds <= 0 || !run || seq < 0) return std::nullopt;
    return Place{Instant(Duration(microseconds)), RunId{*run}, seq};
}

// Whether a reader that has read to `place` has this event. Others of the same instant may come
// twice: their order is not known.
bool is_before(const store::TailEvent& event, const Place& place) {
    return event.at < place.at || (event.run == place.run && event.seq <= place.seq);
}

struct Listening {
    store::Tenant tenant;
    std::string workflow;  // empty: all
    std::optional<Place> since;
};

std::string message_of(const Listening& listening, const store::TailEvent& event) {
    if (!listening.workflow.empty() && event.workflow != listening.workflow) return {};
    return sse_message(id_of(event), event.type, app::to_json(event));
}

// What happened since a reader was cut off. At least once: the last events may come again.
asio::awaitable<bool> catch_up(
    Services& services, const Listening& listening, Instant until, http::BodyStream& out
) {
    Instant at = std::max(listening.since->at - Duration(1), wall_now() - resume_max);
    while (at < until) {
        const auto tail = co_await services.app.repos().tail.tail(listening.tenant, at);
        std::string text;
        for (const auto& event : tail.events) {
            if (!is_before(event, *listening.since)) text += message_of(listening, event);
        }
        const bool sent = text.empty() || co_await out.write(text);
        if (!sent) co_return false;
        if (tail.next_after <= at) break;
        at = tail.next_after;
    }
    co_return true;
}

asio::awaitable<void> write_all(Services& services, Listening listening, http::BodyStream& out) {
    Feed& feed = services.feeds.of(listening.tenant);
    const auto reader = feed.listen([&out] { out.wake(); });
    const bool opened = co_await out.write(sse_opening);
    if (!opened) co_return;
    if (listening.since) {
        const bool sent = co_await catch_up(services, listening, feed.position(), out);
        if (!sent) co_return;
    }
    auto quiet_until = Steady::now() + sse_heartbeat_every;
    while (!out.closed()) {
        std::string text;
        bool missed = false;
        while (const auto* event = feed.next(*reader, missed)) {
            if (missed) text += sse_message("", "overflow", json::object());
            text += message_of(listening, *event);
        }
        if (text.empty() && Steady::now() >= quiet_until) text = sse_heartbeat;
        if (!text.empty()) {
            const bool sent = co_await out.write(text);
            if (!sent) co_return;
            quiet_until = Steady::now() + sse_heartbeat_every;
        }
        co_await out.wait(quiet_until);
    }
}

asio::awaitable<http::ServerResponse> stream_all(Services& services, Call call) {
    only_params(call, {"workflow"});
    Listening listening;
    listening.tenant = tenant_of(call);
    listening.workflow = text_param(call, "workflow");
    const std::string last = last_event_id(call);
    if (!last.empty()) {
        listening.since = place_of(last);
        if (!listening.since) {
            refuse_parameter("Last-Event-ID", "must be the id of an event of this stream");
        }
    }
    const auto place = services.long_requests.take(listening.tenant.id);
    http::ServerResponse response;
    response.headers = sse_headers();
    response.stream = [&services, listening, place](http::BodyStream& out) {
        return write_all(services, listening, out);
    };
    co_return response;
}

}  // namespace

void add_stream_routes(Router& router, Services& services) {
    router.add({"GET", "/v1/runs/{id}/stream", Scope::runs_read, bound(services, stream_run), {}});
    router.add({"GET", "/v1/stream", Scope::runs_read, bound(services, stream_all), {}});
}

}  // namespace pawl::api
