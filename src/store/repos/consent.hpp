#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// An address that gets nothing by a channel.
struct Suppression {
    std::string channel;
    std::string address;
    std::string reason;
    Instant at{};
};

// Where a list of them goes on; empty: at its beginning.
struct SuppressionCursor {
    std::string channel;
    std::string address;
    std::string reason;
};

// What a person does not want. '*': every channel, every category.
struct Unsubscribed {
    std::string channel;
    std::string category;
    Instant at{};
};

// What a person may say yes or no to, and what they say.
struct Preference {
    std::string channel;
    std::string category;
    bool wanted = true;
};
struct Preferences {
    std::string locale;
    std::vector<Preference> cells;
};

struct MessagePolicy {
    std::string channel;  // '*': those without a policy of their own
    // quiet_from, quiet_to, timezone, cap_count, cap_seconds, holdout
    json::object policy;
    Instant updated_at{};
};

// Who must not, or does not want to, get messages, and when they go out. The pool must outlive it.
class Consent {
public:
    explicit Consent(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<void> suppress(
        TenantId tenant, std::string channel, std::string address, std::string reason
    );
    // False: it was not suppressed. sealed: the address as HiddenAddresses has it.
    asio::awaitable<bool> lift(
        TenantId tenant, std::string channel, std::string address, std::vector<std::string> sealed
    );
    // Of a channel, of an address; empty: any.
    asio::awaitable<std::vector<Suppression>> list(
        TenantId tenant,
        std::string channel,
        std::string address,
        std::vector<std::string> sealed,
        SuppressionCursor after,
        int limit
    );
    asio::awaitable<void> subscribe(
        TenantId tenant,
        std::string person,
        std::string channel,
        std::string category,
        bool subscribed
    );
    // Workflows that want to know are told, unless it had been said before.
    asio::awaitable<void> unsubscribe(
        Tenant tenant, std::string person, std::string channel, std::string category
    );
    asio::awaitable<std::vector<Unsubscribed>> unsubscribed(TenantId tenant, std::string person);
    // Nothing: the person was erased.
    asio::awaitable<std::optional<Preferences>> preferences(TenantId tenant, std::string person);
    // All at once; what was said of these channels and categories before is replaced.
    asio::awaitable<void> set_preferences(
        Tenant tenant, std::string person, std::vector<Preference> cells
    );

    asio::awaitable<void> put_policy(TenantId tenant, std::string channel, json::object policy);
    asio::awaitable<std::vector<MessagePolicy>> policies(TenantId tenant);
    asio::awaitable<bool> remove_policy(TenantId tenant, std::string channel);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
