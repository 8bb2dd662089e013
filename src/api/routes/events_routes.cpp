#include "api/http/incoming_events.hpp"
#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/events/event_uses.hpp"
#include "app/views/event_json.hpp"

namespace pawl::api {

namespace {

asio::awaitable<http::ServerResponse> publish(app::EventUses& uses, Call call) {
    only_params(call, {});
    IncomingEvents incoming = read_events(call);
    json::array answers;
    for (const auto& event : incoming.events) {
        answers.push_back(json::object{{"id", event.id}, {"duplicate", false}});
    }
    const auto fresh =
        co_await uses.publisher.publish(tenant_of(call).bucket, std::move(incoming.events));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        answers[i].get_object()["duplicate"] = !fresh[i];
    }
    if (!incoming.list) co_return json_response(202, answers[0]);
    co_return json_response(202, json::object{{"data", std::move(answers)}});
}

std::optional<std::int64_t> inbox_cursor(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return std::nullopt;
    return number_cursor<std::int64_t>(place);
}

asio::awaitable<http::ServerResponse> list_inbox(app::EventUses& uses, Call call) {
    only_params(call, {"name", "key", "limit", "cursor"});
    store::InboxFilter filter;
    filter.name = text_param(call, "name");
    filter.key = text_param(call, "key");
    filter.limit = limit_of(call);
    filter.before = inbox_cursor(call);
    const auto page = co_await uses.inbox.list(tenant_of(call), std::move(filter));
    std::optional<std::string> next;
    if (page.next) next = std::to_string(*page.next);
    co_return page_response(page.events, next, [](const auto& event) {
        return app::to_json(event);
    });
}

asio::awaitable<http::ServerResponse> list_watches(app::EventUses& uses, Call call) {
    only_params(call, {"limit", "cursor"});
    const std::string after = cursor_of(call);
    auto watches = co_await uses.inbox.watches(tenant_of(call).id);
    std::erase_if(watches, [&after](const auto& watch) { return watch.source <= after; });
    std::optional<std::string> next;
    if (cut_to(watches, limit_of(call))) next = watches.back().source;
    co_return page_response(watches, next, [](const auto& watch) { return app::to_json(watch); });
}

}  // namespace

void add_event_routes(Router& router, app::EventUses& uses) {
    router.add(as_traffic({"POST", "/v1/events", Scope::events_write, bound(uses, publish), {}}));
    router.add({"GET", "/v1/watches", Scope::events_read, bound(uses, list_watches), {}});
    router.add({"GET", "/v1/events", Scope::events_read, bound(uses, list_inbox), {}});
}

}  // namespace pawl::api
