#pragma once

#include "app/caller.hpp"
#include "base/vault.hpp"
#include "model/outbox_request.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/outbox_targets.hpp"

#include <string>

namespace pawl::app {

// What the use cases of webhooks work with. All of it outlives them.
struct WebhookUses {
    store::OutboxTargets& targets;
    store::PgStore& store;
    const Vault& vault;  // what secrets are encrypted with
    const Wake& wake_workers;
};

// They answer with the webhook as it is then; an error when the tenant has none of that id.
asio::awaitable<Result<json::object>> find_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
);
asio::awaitable<Result<void>> remove_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
);
asio::awaitable<Result<json::object>> enable_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
);

// With its secret, which is shown once and never again. The request has been checked
// (check_outbox_request).
asio::awaitable<Result<json::object>> create_webhook(
    WebhookUses& uses, store::Tenant tenant, OutboxRequest request
);
asio::awaitable<Result<json::object>> rotate_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
);

// Both put a message into the outbox and wake the publisher. The first answers with its id.
asio::awaitable<Result<std::string>> test_webhook(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id
);
asio::awaitable<Result<void>> redeliver(
    WebhookUses& uses, store::Tenant tenant, std::int32_t id, std::string delivery
);

}  // namespace pawl::app
