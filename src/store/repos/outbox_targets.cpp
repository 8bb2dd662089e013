#include "store/repos/outbox_targets.hpp"

#include "base/webhook_secret.hpp"
#include "pg/pg_error.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <fmt/core.h>

namespace pawl::store {

using boost::asio::awaitable;
using pg::Array;
using pg::Params;
using pg::Type;

namespace {

constexpr std::size_t own_channel_digits = 24;
// What the database says when a tenant has as many targets, or queues of them, as it may.
constexpr std::string_view configuration_limit_exceeded = "53400";

Array texts(const std::vector<std::string>& list) {
    Array array(Type::text);
    for (const std::string& text : list) array.add(std::string_view(text));
    return array;
}

Params of(Tenant tenant, std::int32_t id) {
    Params params;
    params.add(tenant.id).add(id);
    return params;
}

// Maps the database's refusal at a limit to an error for the caller.
awaitable<void> call_within_limits(
    pg::Pool& pool, Tenant tenant, const pg::Query& query, Params params
) {
    try {
        co_await call_as(pool, tenant.id, query, std::move(params));
    } catch (const pg::PgError& error) {
        if (error.detail().sqlstate != configuration_limit_exceeded) throw;
        throw Failure(Error{Errc::conflict, error.detail().message + ". " + error.detail().hint, {}}
        );
    }
}

// The whole database shares channels and queues. Every connection may listen to any channel, so
// that of another tenant than the first has a part that cannot be guessed.
awaitable<std::string> own_address(pg::Pool& pool, Tenant tenant, NewOutboxTarget target) {
    const bool first = tenant.id == default_tenant;
    if (target.kind == "webhook") co_return target.address;
    if (target.kind == "notify") {
        if (first) co_return target.address;
        co_return target.address + "_" +
            sha256_hex(new_webhook_secret()).substr(0, own_channel_digits);
    }
    co_await call_within_limits(
        pool, tenant, queries::own_queue, params_of(tenant.id, target.address)
    );
    co_return first ? target.address : fmt::format("t{}_{}", tenant.id, target.address);
}

// Whether the target was there; the query does something to it.
awaitable<bool> touch(pg::Pool& pool, const pg::Query& query, Tenant tenant, std::int32_t id) {
    return any_row_as(pool, tenant.id, query, of(tenant, id));
}

}  // namespace

awaitable<OutboxTargets::Created> OutboxTargets::create(Tenant tenant, NewOutboxTarget target) {
    target.address = co_await own_address(pool_, tenant, target);
    const auto numbers = co_await call_as(pool_, tenant.id, queries::next_outbox_target, {});
    Created created{numbers.int4(0, 0), {}};
    Params params;
    params.add(created.id).add(tenant.id).add(std::string_view(target.name));
    params.add(std::string_view(target.kind)).add(std::string_view(target.address));
    params.add(texts(target.events));
    if (target.workflows.empty()) {
        params.add_null();
    } else {
        params.add(texts(target.workflows));
    }
    params.add(target.batch_max);
    if (target.retries.empty()) {
        params.add_null();
    } else {
        Array retries(Type::int4);
        for (const int seconds : target.retries) retries.add(std::int32_t{seconds});
        params.add(std::move(retries));
    }
    if (target.kind == "webhook") {
        created.secret = new_webhook_secret();
        const std::string about = outbox_secret_place(tenant.id, created.id);
        add_box(params, vault_.close(about, created.secret));
    } else {
        params.add_null().add_null().add_null();
    }
    co_await call_within_limits(pool_, tenant, queries::create_outbox_target, std::move(params));
    co_return created;
}

awaitable<std::vector<json::object>> OutboxTargets::list(
    Tenant tenant, std::optional<std::int32_t> id
) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::list_outbox_targets, params_of(tenant.id, tenant.bucket, id)
    );
    std::vector<json::object> all;
    for (int row = 0; row < rows.size(); ++row) {
        json::value document = rows.jsonb(row, 1);
        all.push_back(std::move(document.as_object()));
    }
    co_return all;
}

awaitable<bool> OutboxTargets::remove(Tenant tenant, std::int32_t id) {
    return touch(pool_, queries::delete_outbox_target, tenant, id);
}

awaitable<std::optional<std::string>> OutboxTargets::rotate(Tenant tenant, std::int32_t id) {
    Params params = of(tenant, id);
    std::string secret = new_webhook_secret();
    add_box(params, vault_.close(outbox_secret_place(tenant.id, id), secret));
    params.add(old_secret_life);
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::rotate_outbox_secret, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return secret;
}

awaitable<bool> OutboxTargets::enable(Tenant tenant, std::int32_t id) {
    return touch(pool_, queries::enable_outbox_target, tenant, id);
}

awaitable<std::optional<std::string>> OutboxTargets::test(Tenant tenant, std::int32_t id) {
    Params params = of(tenant, id);
    params.add(tenant.bucket);
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::test_outbox_target, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return outbox_id(RunId{rows.uuid(0, 0)}, rows.int4(0, 1));
}

awaitable<std::vector<Delivery>> OutboxTargets::deliveries(Tenant tenant, DeliveryFilter filter) {
    Params params;
    params.add(tenant.id).add(tenant.bucket).add(filter.target).add(filter.at);
    params.add(filter.place.run.uuid).add(filter.place.seq);
    if (filter.state) {
        params.add(static_cast<std::int16_t>(*filter.state));
    } else {
        params.add_null();
    }
    params.add(filter.limit);
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::list_deliveries, std::move(params));
    std::vector<Delivery> all;
    for (int row = 0; row < rows.size(); ++row) {
        json::value document = rows.jsonb(row, 3);
        all.push_back(
            {rows.instant(row, 0),
             {RunId{rows.uuid(row, 1)}, rows.int4(row, 2)},
             std::move(document.as_object())}
        );
    }
    co_return all;
}

awaitable<std::optional<json::object>> OutboxTargets::delivery(
    Tenant tenant, std::int32_t id, OutboxPlace place
) {
    Params params;
    params.add(tenant.id).add(tenant.bucket).add(id).add(place.run.uuid).add(place.seq);
    const auto rows = co_await call_as(pool_, tenant.id, queries::find_delivery, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    json::value document = rows.shown_jsonb(0, 0);
    co_return std::move(document.as_object());
}

awaitable<bool> OutboxTargets::redeliver(Tenant tenant, std::int32_t id, OutboxPlace place) {
    Params params;
    params.add(tenant.id).add(tenant.bucket).add(id).add(place.run.uuid).add(place.seq);
    const auto rows = co_await call_as(pool_, tenant.id, queries::redeliver, std::move(params));
    co_return rows.size() > 0;
}

awaitable<int> OutboxTargets::rotate_keys() {
    Params wanted;
    wanted.add(std::string_view(vault_.key_id()));
    const auto rows = co_await call(pool_, queries::other_outbox_secrets, std::move(wanted));
    int changed = 0;
    for (int row = 0; row < rows.size(); ++row) {
        const std::string about = outbox_secret_place(rows.int4(row, 0), rows.int4(row, 1));
        const VaultBox old = box_of(rows, row, 2);
        const auto secret = vault_.open(about, old);
        if (!secret) {
            throw Failure(Error(secret.error()).with("webhook", std::to_string(rows.int4(row, 1))));
        }
        Params params;
        params.add(rows.int4(row, 1));
        add_box(params, vault_.close(about, *secret));
        params.add(std::string_view(old.nonce));
        const auto done = co_await call(pool_, queries::replace_outbox_secret, std::move(params));
        changed += done.size();
    }
    co_return changed;
}

}  // namespace pawl::store
