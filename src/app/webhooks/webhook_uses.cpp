#include "app/webhooks/webhook_uses.hpp"

#include "app/refusal.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

Error no_webhook(std::int32_t id) {
    return not_found(fmt::format("there is no webhook {}", id)).with("webhook", std::to_string(id));
}

Error no_key() {
    return refusal(
        Errc::conflict,
        "no_secret_key",
        "this server has no key to encrypt secrets with; give it one: PAWL_SECRET_KEY"
    );
}

store::NewOutboxTarget target_of(OutboxRequest request) {
    store::NewOutboxTarget target;
    target.kind = request.kind();
    target.address = request.address();
    target.name = std::move(request.name);
    target.events = std::move(request.events);
    if (target.events.empty()) target.events = {"*"};
    target.workflows = std::move(request.workflows);
    target.batch_max = request.batch_max;
    target.retries = std::move(request.retries);
    return target;
}

}  // namespace

asio::awaitable<Result<json::object>> find_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
) {
    auto found = co_await uses.targets.list(tenant, id);
    if (found.empty()) co_return no_webhook(id);
    co_return std::move(found.front());
}

asio::awaitable<Result<void>> remove_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
) {
    const bool removed = co_await uses.targets.remove(tenant, id);
    if (!removed) co_return no_webhook(id);
    co_return Result<void>();
}

asio::awaitable<Result<json::object>> enable_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
) {
    const bool enabled = co_await uses.targets.enable(tenant, id);
    if (!enabled) co_return no_webhook(id);
    co_return co_await find_webhook(uses, tenant, id);
}

asio::awaitable<Result<json::object>> create_webhook(
    WebhookUses& uses, store::Tenant tenant, OutboxRequest request
) {
    for (const std::string& name : request.workflows) {
        const auto workflow = co_await uses.store.find_workflow(tenant.id, name);
        if (workflow) continue;
        const std::string why = fmt::format("there is no workflow named '{}'", name);
        co_return wrong_at(why, "/workflows", why);
    }
    if (request.kind() == "webhook" && !uses.vault.usable()) co_return no_key();
    const auto created = co_await uses.targets.create(tenant, target_of(std::move(request)));
    auto out = co_await find_webhook(uses, tenant, created.id);
    if (out && !created.secret.empty()) (*out)["secret"] = created.secret;
    co_return out;
}

asio::awaitable<Result<json::object>> rotate_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
) {
    if (!uses.vault.usable()) co_return no_key();
    const auto secret = co_await uses.targets.rotate(tenant, id);
    if (!secret) co_return no_webhook(id);
    auto out = co_await find_webhook(uses, tenant, id);
    if (out) (*out)["secret"] = *secret;
    co_return out;
}

asio::awaitable<Result<std::string>> test_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
) {
    auto sent = co_await uses.targets.test(tenant, id);
    if (!sent) co_return no_webhook(id);
    uses.wake_workers();
    co_return std::move(*sent);
}

asio::awaitable<Result<void>> redeliver(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id, std::string delivery
) {
    const auto place = store::parse_outbox_id(delivery);
    bool found = false;
    if (place) found = co_await uses.targets.redeliver(tenant, id, *place);
    if (!found) {
        co_return not_found(fmt::format("there is no delivery {} that is not under way", delivery));
    }
    uses.wake_workers();
    co_return Result<void>();
}

}  // namespace pawl::app
