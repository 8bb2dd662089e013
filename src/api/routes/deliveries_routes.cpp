#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/webhooks/webhook_uses.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>

namespace pawl::api {

namespace {

std::optional<store::OutboxState> state_param(const Call& call) {
    const std::string text = text_param(call, "state");
    if (text.empty()) return std::nullopt;
    constexpr std::array<std::string_view, 4> names{"pending", "in_flight", "published", "failed"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (text == names[i]) return static_cast<store::OutboxState>(i);
    }
    refuse_parameter("state", "must be pending, in_flight, published or failed");
}

// "<micros> <id>" of the last one of the page before.
void read_cursor(const Call& call, store::DeliveryFilter& filter) {
    const std::string cursor = cursor_of(call);
    if (cursor.empty()) return;
    const auto blank = cursor.find(' ');
    std::int64_t micros = 0;
    const auto [end, failed] =
        std::from_chars(cursor.data(), cursor.data() + std::min(blank, cursor.size()), micros);
    const auto place = blank == std::string::npos
                           ? std::nullopt
                           : store::parse_outbox_id(std::string_view(cursor).substr(blank + 1));
    if (failed != std::errc() || !place) {
        refuse_parameter("cursor", "is not one of this list");
    }
    filter.at = Instant(Duration(micros));
    filter.place = *place;
}

asio::awaitable<http::ServerResponse> list_deliveries(app::WebhookUses& uses, Call call) {
    only_params(call, {"state", "limit", "cursor"});
    store::DeliveryFilter filter;
    const std::string& text = call.params.at(0);
    std::from_chars(text.data(), text.data() + text.size(), filter.target);
    filter.state = state_param(call);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    read_cursor(call, filter);
    const store::Tenant tenant = tenant_of(call);
    const auto known = co_await uses.targets.list(tenant, filter.target);
    if (known.empty()) refuse_not_found(fmt::format("there is no webhook '{}'", text));
    auto found = co_await uses.targets.deliveries(tenant, filter);
    std::optional<std::string> next;
    if (found.size() > static_cast<std::size_t>(limit)) {
        found.resize(static_cast<std::size_t>(limit));
        const auto& last = found.back();
        next = fmt::format(
            "{} {}",
            last.at.time_since_epoch().count(),
            store::outbox_id(last.place.run, last.place.seq)
        );
    }
    json::array data;
    for (auto& one : found) data.push_back(std::move(one.document));
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> show_delivery(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    std::int32_t target = 0;
    const std::string& text = call.params.at(0);
    std::from_chars(text.data(), text.data() + text.size(), target);
    const auto place = store::parse_outbox_id(call.params.at(1));
    std::optional<json::object> found;
    if (place) found = co_await uses.targets.delivery(tenant_of(call), target, *place);
    if (!found) {
        refuse_not_found(fmt::format("webhook '{}' has no delivery '{}'", text, call.params.at(1)));
    }
    co_return json_response(200, *found);
}

}  // namespace

void add_delivery_routes(Router& router, app::WebhookUses& uses) {
    router.add(
        {"GET",
         "/v1/webhooks/{id}/deliveries/{delivery}",
         Scope::admin,
         bound(uses, show_delivery),
         {}}
    );
    router.add(
        {"GET", "/v1/webhooks/{id}/deliveries", Scope::admin, bound(uses, list_deliveries), {}}
    );
}

}  // namespace pawl::api
