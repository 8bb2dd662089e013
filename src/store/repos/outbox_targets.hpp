#pragma once

#include "base/json.hpp"
#include "base/vault.hpp"
#include "pg/pool.hpp"
#include "store/repos/outbox.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A new subscriber to what happens to runs.
struct NewOutboxTarget {
    std::string name;
    std::string kind = "webhook";  // webhook, notify or queue
    std::string address;           // URL, channel or queue
    std::vector<std::string> events;
    std::vector<std::string> workflows;  // empty: all
    int batch_max = 1;
    std::vector<int> retries;  // seconds; empty: the usual ones
};

struct DeliveryFilter {
    std::int32_t target = 0;
    std::optional<OutboxState> state;
    int limit = 50;
    // After this one.
    std::optional<Instant> at;
    OutboxPlace place;
};
struct Delivery {
    Instant at{};
    OutboxPlace place;
    json::object document;  // as the API shows it
};

// How long the secret before the last one goes on signing.
inline constexpr Duration old_secret_life = std::chrono::hours(24);

// What people do with targets and with what was sent to them, each for one tenant. Documents are
// as the API shows them. The pool and the vault outlive it.
class OutboxTargets {
public:
    OutboxTargets(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    // A webhook needs a vault that can close; its secret is made here and given back once.
    struct Created {
        std::int32_t id = 0;
        std::string secret;
    };
    boost::asio::awaitable<Created> create(Tenant tenant, NewOutboxTarget target);
    // All, or one.
    boost::asio::awaitable<std::vector<json::object>> list(
        Tenant tenant, std::optional<std::int32_t> id = {}
    );
    // With everything that was to be sent there.
    boost::asio::awaitable<bool> remove(Tenant tenant, std::int32_t id);
    // The new secret; none when there is no such webhook.
    boost::asio::awaitable<std::optional<std::string>> rotate(Tenant tenant, std::int32_t id);
    boost::asio::awaitable<bool> enable(Tenant tenant, std::int32_t id);
    // The id of the message that was put into the outbox.
    boost::asio::awaitable<std::optional<std::string>> test(Tenant tenant, std::int32_t id);
    boost::asio::awaitable<std::vector<Delivery>> deliveries(Tenant tenant, DeliveryFilter filter);
    // One of them, with its body; none when there is none.
    boost::asio::awaitable<std::optional<json::object>> delivery(
        Tenant tenant, std::int32_t id, OutboxPlace place
    );
    boost::asio::awaitable<bool> redeliver(Tenant tenant, std::int32_t id, OutboxPlace place);
    // Encrypts the secrets of all tenants with the first key of the vault.
    boost::asio::awaitable<int> rotate_keys();

private:
    pg::Pool& pool_;
    const Vault& vault_;
};

}  // namespace pawl::store
