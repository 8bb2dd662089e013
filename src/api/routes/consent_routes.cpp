#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/messages/consent_uses.hpp"
#include "app/messages/person_uses.hpp"
#include "app/views/message_json.hpp"
#include "base/json.hpp"
#include "model/channels.hpp"
#include "model/duration.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr std::size_t channel_max = 60;
constexpr std::size_t address_max = 500;
constexpr std::size_t category_max = 100;

// '*' is every channel, where that can be said. What no message has would hold back none.
std::optional<std::string> read_channel(Body& body, bool every) {
    auto channel = body.name("channel", channel_max);
    if (!channel || is_message_channel(*channel) || (every && *channel == "*")) return channel;
    body.wrong(
        "channel",
        every ? "must be line, sms, email, push, webhook, or * for all of them"
              : "must be line, sms, email, push or webhook"
    );
    return channel;
}

// --- Subscriptions of a person

template <bool subscribed>
asio::awaitable<http::ServerResponse> subscribe(app::ConsentUses& uses, Call call) {
    only_params(call, {});
    const std::string& person = call.params.at(0);
    if (person.size() > app::person_key_bytes_max) {
        refuse_parameter("key", "must have at most 500 bytes");
    }
    CallBody body(call, true);
    app::Wish wish;
    wish.channel = read_channel(body, true).value_or("*");
    wish.category = body.name("category", category_max).value_or("*");
    body.finish();
    if constexpr (subscribed) {
        co_await app::resubscribe(uses, call.principal.tenant, person, std::move(wish));
    } else {
        const store::Tenant tenant{call.principal.tenant, call.principal.bucket};
        co_await app::unsubscribe(uses, tenant, person, std::move(wish));
    }
    json::array all;
    for (const auto& one : co_await uses.consent.unsubscribed(call.principal.tenant, person)) {
        all.push_back(json::object{
            {"channel", one.channel}, {"category", one.category}, {"at", to_rfc3339(one.at)}});
    }
    co_return json_response(200, json::object{{"key", person}, {"unsubscribed", std::move(all)}});
}

// --- Addresses that get nothing

std::string place_of(const store::Suppression& one) {
    return json::serialize(json::array{one.channel, one.address, one.reason});
}

store::SuppressionCursor suppression_cursor(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return {};
    const auto read = parse_json(place);
    const json::array* parts = read ? read->if_array() : nullptr;
    const auto text = [&](std::size_t i) -> std::string {
        if (parts == nullptr || parts->size() != 3 || !(*parts)[i].is_string()) {
            refuse_parameter("cursor", "is not a next_cursor of a page");
        }
        return std::string((*parts)[i].get_string());
    };
    return {text(0), text(1), text(2)};
}

asio::awaitable<http::ServerResponse> list_suppressions(app::ConsentUses& uses, Call call) {
    only_params(call, {"channel", "address", "limit", "cursor"});
    const int limit = limit_of(call);
    auto all = co_await app::list_suppressions(
        uses,
        call.principal.tenant,
        text_param(call, "channel"),
        text_param(call, "address"),
        suppression_cursor(call),
        limit + 1
    );
    std::optional<std::string> next;
    if (all.size() > static_cast<std::size_t>(limit)) {
        all.resize(static_cast<std::size_t>(limit));
        next = place_of(all.back());
    }
    json::array data;
    for (const auto& one : all) data.push_back(app::to_json(one));
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> suppress(app::ConsentUses& uses, Call call) {
    CallBody body(call);
    const auto channel = read_channel(body, false);
    const auto address = body.name("address", address_max);
    const auto reason = body.name("reason", channel_max);
    // Only its digits count.
    const bool blank =
        channel == "sms" && address && address->find_first_of("0123456789") == std::string::npos;
    if (blank) body.wrong("address", "must be a telephone number such as +66812345678");
    if (!channel && body.places().empty()) body.wrong("channel", "is required, such as email");
    if (!address && body.places().empty()) body.wrong("address", "is required");
    body.finish();
    co_await uses.consent.suppress(
        call.principal.tenant, *channel, *address, reason.value_or("by_hand")
    );
    const auto all =
        co_await uses.consent.list(call.principal.tenant, *channel, *address, {}, {}, 1);
    // Lifted in the same moment by another request: then it says what was asked for.
    if (!all.empty()) co_return json_response(201, app::to_json(all[0]));
    co_return json_response(
        201,
        app::to_json(store::Suppression{*channel, *address, reason.value_or("by_hand"), wall_now()})
    );
}

asio::awaitable<http::ServerResponse> lift(app::ConsentUses& uses, Call call) {
    only_params(call, {"channel", "address"});
    const std::string channel = text_param(call, "channel");
    const std::string address = text_param(call, "address");
    if (channel.empty()) refuse_parameter("channel", "is required, such as email");
    if (address.empty()) refuse_parameter("address", "is required");
    or_refuse(co_await app::lift_suppression(uses, call.principal.tenant, channel, address));
    co_return json_response(
        200, json::object{{"channel", channel}, {"address", address}, {"lifted", true}}
    );
}

// --- When and how often

void read_quiet(Body& body, app::PolicyParams& params) {
    const json::object* given = body.object("quiet_hours");
    if (given == nullptr) return;
    Body quiet(*given, body.places(), body.pointer_to("quiet_hours"));
    params.quiet_from = quiet.text("from", 5).value_or("");
    params.quiet_to = quiet.text("to", 5).value_or("");
    quiet.refuse_unknown();
    if (!body.places().empty()) return;
    if (params.quiet_from.empty()) quiet.wrong("from", "is required, such as 21:00");
    if (params.quiet_to.empty()) quiet.wrong("to", "is required, such as 08:00");
}

void read_cap(Body& body, app::PolicyParams& params) {
    const json::object* given = body.object("cap");
    if (given == nullptr) return;
    Body cap(*given, body.places(), body.pointer_to("cap"));
    if (const auto count = cap.whole("count", 1, 1000)) {
        params.cap_count = static_cast<std::int32_t>(*count);
    }
    if (const auto per = cap.text("per", 40)) {
        const auto period = parse_duration(*per);
        if (period) {
            params.cap_period = *period;
        } else {
            cap.wrong("per", period.error().message);
        }
    }
    cap.refuse_unknown();
}

asio::awaitable<http::ServerResponse> put_policy(app::ConsentUses& uses, Call call) {
    CallBody body(call);
    app::PolicyParams params;
    params.channel = read_channel(body, true).value_or("*");
    params.timezone = body.text("timezone", 100).value_or("");
    read_quiet(body, params);
    read_cap(body, params);
    if (const json::value* share = body.any("holdout")) {
        if (share->is_number()) {
            params.holdout = share->to_number<double>();
        } else {
            body.wrong("holdout", "must be a percentage from 0 to 100");
        }
    }
    body.finish();
    const std::string channel = params.channel;
    or_refuse(co_await app::put_policy(uses, call.principal.tenant, std::move(params)));
    for (const auto& one : co_await uses.consent.policies(call.principal.tenant)) {
        if (one.channel == channel) co_return json_response(200, app::to_json(one));
    }
    refuse_not_found("the policy was deleted meanwhile");
}

asio::awaitable<http::ServerResponse> list_policies(app::ConsentUses& uses, Call call) {
    only_params(call, {});
    const auto all = co_await uses.consent.policies(call.principal.tenant);
    co_return page_response(all, std::nullopt, [](const auto& one) { return app::to_json(one); });
}

asio::awaitable<http::ServerResponse> remove_policy(app::ConsentUses& uses, Call call) {
    only_params(call, {"channel"});
    std::string channel = text_param(call, "channel");
    if (channel.empty()) channel = "*";
    const bool found = co_await uses.consent.remove_policy(call.principal.tenant, channel);
    if (!found) refuse_not_found("there is no policy for '" + channel + "'");
    co_return json_response(200, json::object{{"channel", channel}, {"deleted", true}});
}

}  // namespace

void add_consent_routes(Router& router, app::ConsentUses& uses) {
    const std::string person = "/v1/people/{key}";
    const auto write = Scope::runs_write;
    router.add({"POST", person + "/unsubscribe", write, bound(uses, subscribe<false>), {}});
    router.add({"POST", person + "/resubscribe", write, bound(uses, subscribe<true>), {}});
    router.add({"GET", "/v1/suppressions", Scope::runs_read, bound(uses, list_suppressions), {}});
    router.add({"POST", "/v1/suppressions", write, bound(uses, suppress), {}});
    router.add({"DELETE", "/v1/suppressions", write, bound(uses, lift), {}});
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/message-policy", Scope::workflows_read, bound(uses, list_policies), {}}
    );
    router.add({"PUT", "/v1/message-policy", admin, bound(uses, put_policy), {}});
    router.add({"DELETE", "/v1/message-policy", admin, bound(uses, remove_policy), {}});
}

}  // namespace pawl::api
