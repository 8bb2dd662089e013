#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/webhooks/webhook_uses.hpp"
#include "base/number_text.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t url_max = 2000;

std::int32_t webhook_param(const Call& call) {
    const std::string& text = call.params.at(0);
    const auto id = read_number<std::int32_t>(text);
    if (!id || *id < 1) refuse_not_found(fmt::format("there is no webhook '{}'", text));
    return *id;
}

std::vector<std::string> texts(Body& body, std::string_view key) {
    std::vector<std::string> list;
    const json::array* given = body.array(key);
    if (given == nullptr) return list;
    for (const json::value& item : *given) {
        if (!item.is_string()) {
            body.wrong(key, "must be a list of texts");
            break;
        }
        list.emplace_back(item.get_string());
    }
    return list;
}

OutboxRequest read_request(Body& body) {
    OutboxRequest request;
    request.name = body.text("name", name_max).value_or("");
    request.url = body.text("url", url_max).value_or("");
    request.channel = body.text("channel", 63).value_or("");
    request.queue = body.text("queue", 63).value_or("");
    request.events = texts(body, "events");
    const json::value* events = body.any("events");
    if (events != nullptr && events->is_array() && events->get_array().empty()) {
        body.wrong("events", "must name a type, such as run.*; left out, it means all");
    }
    request.workflows = texts(body, "workflows");
    request.batch_max = static_cast<int>(body.whole("batch_max", 1, 1000).value_or(1));
    if (const json::array* retries = body.array("retries")) {
        for (const json::value& item : *retries) {
            request.retries.push_back(static_cast<int>(whole_number(&item).value_or(-1)));
        }
    }
    return request;
}

asio::awaitable<http::ServerResponse> create(app::WebhookUses& uses, Call call) {
    CallBody body(call);
    OutboxRequest request = read_request(body);
    const store::Tenant tenant = tenant_of(call);
    for (auto& problem : check_outbox_request(request, tenant.id == store::default_tenant)) {
        body.wrong(problem.field, std::move(problem.detail));
    }
    body.finish();
    co_return json_response(
        201, or_refuse(co_await app::create_webhook(uses, tenant, std::move(request)))
    );
}

asio::awaitable<http::ServerResponse> list_webhooks(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    json::array data;
    for (auto& one : co_await uses.targets.list(tenant_of(call))) data.push_back(std::move(one));
    co_return page_response(std::move(data), std::nullopt);
}

// Calls `use` with the webhook of the path and answers with what it gives.
template <auto use>
asio::awaitable<http::ServerResponse> about_one(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    co_return json_response(200, or_refuse(co_await use(uses, tenant_of(call), id)));
}

asio::awaitable<http::ServerResponse> remove(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    or_refuse(co_await app::remove_webhook(uses, tenant_of(call), id));
    co_return json_response(200, json::object{{"id", id}, {"deleted", true}});
}

asio::awaitable<http::ServerResponse> test(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    const auto sent = or_refuse(co_await app::test_webhook(uses, tenant_of(call), id));
    co_return json_response(202, json::object{{"id", sent}, {"webhook", id}});
}

asio::awaitable<http::ServerResponse> redeliver(app::WebhookUses& uses, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    const std::string& delivery = call.params.at(1);
    or_refuse(co_await app::redeliver(uses, tenant_of(call), id, delivery));
    co_return json_response(202, json::object{{"id", delivery}, {"webhook", id}});
}

}  // namespace

// Who outside hears of what happens to runs.
void add_webhook_routes(Router& router, app::WebhookUses& uses) {
    const std::string one = "/v1/webhooks/{id}";
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/webhooks", admin, bound(uses, list_webhooks), {}});
    router.add(with_secret({"POST", "/v1/webhooks", admin, bound(uses, create), {}}));
    router.add({"GET", one, admin, bound(uses, about_one<app::find_webhook>), {}});
    router.add({"DELETE", one, admin, bound(uses, remove), {}});
    router.add(with_secret(
        {"POST", one + "/rotate", admin, bound(uses, about_one<app::rotate_webhook>), {}}
    ));
    router.add({"POST", one + "/enable", admin, bound(uses, about_one<app::enable_webhook>), {}});
    router.add({"POST", one + "/test", admin, bound(uses, test), {}});
    add_delivery_routes(router, uses);
    router.add({"POST", one + "/deliveries/{delivery}/redeliver", admin, bound(uses, redeliver), {}}
    );
}

}  // namespace pawl::api
