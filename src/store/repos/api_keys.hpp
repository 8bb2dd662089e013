#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

struct NewApiKey {
    std::int32_t tenant = 1;
    std::string name;
    std::string prefix;  // what people see of the key
    std::string hash;    // the 32 bytes of the SHA-256 of the whole key
    std::vector<std::string> scopes;
    std::optional<Instant> expires_at;
    std::string role;  // empty: scopes alone
};

struct ApiKey {
    std::int32_t id = 0;
    Tenant tenant;
    std::string name;
    std::string prefix;
    std::vector<std::string> scopes;
    Instant created_at{};
    std::optional<Instant> expires_at;
    std::optional<Instant> revoked_at;
    std::optional<Instant> last_used_at;
    std::string role;  // empty: scopes alone
};

// Scopes as statements answer them, between blanks.
std::vector<std::string> scope_words(std::string_view text);
// A key in the columns of find_api_key.
ApiKey api_key_of(const pg::Rows& rows, int row);

struct TenantNow {
    Tenant tenant;
    Instant now{};  // the database's time, from which an expiry counts
    std::string name = {};
};

// pawl.api_key. The keys themselves are never stored, so a copy of the database opens nothing. The
// pool must outlive it.
class ApiKeys {
public:
    explicit ApiKeys(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<ApiKey> create(NewApiKey key);
    // None when there is no such key, it was revoked or has expired.
    asio::awaitable<std::optional<ApiKey>> find_by_hash(std::string hash);
    asio::awaitable<std::vector<ApiKey>> list(std::int32_t tenant);
    // By prefix or number. False when there is none; throws Errc::conflict when it fits several,
    // and revokes none of them.
    asio::awaitable<bool> revoke(std::int32_t tenant, std::string prefix_or_id);
    // Notes that the key was used; writes at most once a minute.
    asio::awaitable<void> touch(std::int32_t id);
    // Whether there ever was a key, revoked ones included.
    asio::awaitable<bool> any_exist();
    // What those are called that are keys of the tenant, by their prefixes; null: none is one. Keys
    // that are gone are known, too.
    asio::awaitable<json::value> names(std::int32_t tenant, std::vector<std::string> prefixes);
    // A tenant by name: of a key, or of a token.
    asio::awaitable<std::optional<TenantNow>> find_tenant(std::string name);
    // The one that a caller is of.
    asio::awaitable<TenantNow> tenant_now(std::int32_t id);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
