#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "model/outbox_request.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t url_max = 2000;

std::int32_t webhook_param(const Call& call) {
    const std::string& text = call.params.at(0);
    std::int32_t id = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (failed != std::errc() || end != text.data() + text.size() || id < 1) {
        refuse_not_found(fmt::format("there is no webhook '{}'", text));
    }
    return id;
}

[[noreturn]] void refuse_unknown_webhook(std::int32_t id) {
    refuse_not_found(fmt::format("there is no webhook {}", id));
}

void need_vault(const Services& services) {
    if (services.vault.usable()) return;
    refuse(
        409,
        "no_secret_key",
        "this server has no key to encrypt secrets with; give it one: PAWL_SECRET_KEY"
    );
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

asio::awaitable<json::object> find_webhook(
    Services& services, store::Tenant tenant, std::int32_t id
) {
    auto found = co_await services.outbox.list(tenant, id);
    if (found.empty()) refuse_unknown_webhook(id);
    co_return std::move(found.front());
}

asio::awaitable<http::ServerResponse> create_webhook(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    OutboxRequest request = read_request(body);
    const store::Tenant tenant = tenant_of(call);
    for (auto& problem : check_outbox_request(request, tenant.id == store::default_tenant)) {
        body.wrong(problem.field, std::move(problem.detail));
    }
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    for (const std::string& name : request.workflows) {
        if (co_await services.store.find_workflow(tenant.id, name)) continue;
        refuse_places(
            fmt::format("there is no workflow named '{}'", name),
            {{"/workflows", "", fmt::format("there is no workflow named '{}'", name)}}
        );
    }
    if (request.kind() == "webhook") need_vault(services);
    store::NewOutboxTarget target;
    target.name = request.name;
    target.kind = request.kind();
    target.address = request.address();
    target.events = request.events.empty() ? std::vector<std::string>{"*"} : request.events;
    target.workflows = request.workflows;
    target.batch_max = request.batch_max;
    target.retries = request.retries;
    const auto created = co_await services.outbox.create(tenant, std::move(target));
    json::object out = co_await find_webhook(services, tenant, created.id);
    // Once and never again.
    if (!created.secret.empty()) out["secret"] = created.secret;
    co_return json_response(201, out);
}

asio::awaitable<http::ServerResponse> list_webhooks(Services& services, Call call) {
    only_params(call, {});
    json::array data;
    for (auto& one : co_await services.outbox.list(tenant_of(call))) data.push_back(std::move(one));
    co_return page_response(std::move(data), std::nullopt);
}

asio::awaitable<http::ServerResponse> show_webhook(Services& services, Call call) {
    only_params(call, {});
    co_return json_response(
        200, co_await find_webhook(services, tenant_of(call), webhook_param(call))
    );
}

asio::awaitable<http::ServerResponse> delete_webhook(Services& services, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    if (!co_await services.outbox.remove(tenant_of(call), id)) refuse_unknown_webhook(id);
    co_return json_response(200, json::object{{"id", id}, {"deleted", true}});
}

asio::awaitable<http::ServerResponse> rotate_webhook(Services& services, Call call) {
    only_params(call, {});
    need_vault(services);
    const std::int32_t id = webhook_param(call);
    auto secret = co_await services.outbox.rotate(tenant_of(call), id);
    if (!secret) refuse_unknown_webhook(id);
    json::object out = co_await find_webhook(services, tenant_of(call), id);
    out["secret"] = *secret;
    co_return json_response(200, out);
}

asio::awaitable<http::ServerResponse> enable_webhook(Services& services, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    if (!co_await services.outbox.enable(tenant_of(call), id)) refuse_unknown_webhook(id);
    co_return json_response(200, co_await find_webhook(services, tenant_of(call), id));
}

asio::awaitable<http::ServerResponse> test_webhook(Services& services, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    const auto sent = co_await services.outbox.test(tenant_of(call), id);
    if (!sent) refuse_unknown_webhook(id);
    services.wake_workers();
    co_return json_response(202, json::object{{"id", *sent}, {"webhook", id}});
}

asio::awaitable<http::ServerResponse> redeliver(Services& services, Call call) {
    only_params(call, {});
    const std::int32_t id = webhook_param(call);
    const std::string& delivery = call.params.at(1);
    const auto place = store::parse_outbox_id(delivery);
    bool found = false;
    if (place) found = co_await services.outbox.redeliver(tenant_of(call), id, *place);
    if (!found) {
        refuse_not_found(fmt::format("there is no delivery {} that is not under way", delivery));
    }
    services.wake_workers();
    co_return json_response(202, json::object{{"id", delivery}, {"webhook", id}});
}

}  // namespace

// Who outside hears of what happens to runs.
void add_webhook_routes(Router& router, Services& services) {
    const std::string one = "/v1/webhooks/{id}";
    const auto admin = Scope::admin;
    router.add({"GET", "/v1/webhooks", admin, bound(services, list_webhooks), {}});
    Route create{"POST", "/v1/webhooks", admin, bound(services, create_webhook), {}};
    create.secret_answer = true;
    router.add(std::move(create));
    router.add({"GET", one, admin, bound(services, show_webhook), {}});
    router.add({"DELETE", one, admin, bound(services, delete_webhook), {}});
    Route rotate{"POST", one + "/rotate", admin, bound(services, rotate_webhook), {}};
    rotate.secret_answer = true;
    router.add(std::move(rotate));
    router.add({"POST", one + "/enable", admin, bound(services, enable_webhook), {}});
    router.add({"POST", one + "/test", admin, bound(services, test_webhook), {}});
    add_delivery_routes(router, services);
    router.add(
        {"POST", one + "/deliveries/{delivery}/redeliver", admin, bound(services, redeliver), {}}
    );
}

}  // namespace pawl::api
