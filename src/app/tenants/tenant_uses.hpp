#pragma once

#include "app/caller.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/tenants.hpp"

#include <string>
#include <vector>

namespace pawl::app {

// What the use cases of tenants and their keys work with. All of it outlives them.
struct TenantUses {
    store::Tenants& tenants;
    store::ApiKeys& keys;
};

// Names go into settings, URLs and log lines. One of digits alone could be taken for a number.
Result<void> check_tenant_name(const std::string& name);

// An error when there is one of that name already.
asio::awaitable<Result<store::TenantDetails>> create_tenant(TenantUses& uses, std::string name);
// The others have an error when there is no tenant of that name.
asio::awaitable<Result<store::TenantDetails>> find_tenant(TenantUses& uses, std::string name);
// Replaces all of them.
asio::awaitable<Result<store::TenantDetails>> limit_tenant(
    TenantUses& uses, std::string name, store::TenantLimits limits
);

struct NewKey {
    std::string name;
    std::vector<std::string> scopes;
    std::optional<Duration> expires;  // after so long; none: never
    std::string role = {};            // empty: scopes alone
};
struct CreatedKey {
    std::string text;  // shown once: only its hash is kept
    store::ApiKey key;
    Instant now{};  // the database's time
};
asio::awaitable<Result<CreatedKey>> create_key(TenantUses& uses, std::string tenant, NewKey key);
// Of a tenant that was found. An error when its name cannot be seen.
asio::awaitable<Result<CreatedKey>> create_key(
    store::ApiKeys& keys, store::TenantNow tenant, NewKey key
);

struct KeyList {
    std::vector<store::ApiKey> keys;
    Instant now{};
};
asio::awaitable<Result<KeyList>> list_keys(TenantUses& uses, std::string tenant);

// By its prefix; an error when there is no such key.
asio::awaitable<Result<void>> revoke_key(TenantUses& uses, std::string tenant, std::string prefix);

}  // namespace pawl::app
