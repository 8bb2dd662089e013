#pragma once

#include "base/json.hpp"
#include "pg/pool.hpp"
#include "store/repos/api_keys.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

struct NewSession {
    std::string hash;  // the 32 bytes of the SHA-256 of the token
    TenantId tenant = 1;
    std::optional<std::int32_t> key;  // none: a person
    std::string subject;
    json::object roles;  // by the name of a tenant, what the identity provider said
    Duration idle{};
    Duration life{};
    std::string peer;
    std::string agent;
};

struct Session {
    std::int64_t id = 0;
    Tenant tenant;
    std::string tenant_name;
    std::string subject;
    bool person = false;
    std::string role;                 // empty: only scopes
    std::vector<std::string> scopes;  // of its key
    Instant expires_at{};             // if it is not used any more
    Instant used_at{};
};

struct TenantRoleName {
    std::string tenant;
    std::string role;  // empty: only scopes
};

struct Member {
    std::string subject;
    std::string role;
    Instant created_at{};
    std::string created_by;
    std::string created_by_name;  // if that is an API key
};

// pawl.session, session_ticket and member: who is signed in, and who may. The pool must outlive it.
class Sessions {
public:
    explicit Sessions(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::int64_t> create(NewSession session);
    // None when it has ended, or what it rests on has.
    asio::awaitable<std::optional<Session>> find_by_hash(std::string hash);
    // Notes that it was used; writes at most once a minute.
    asio::awaitable<void> touch(std::int64_t id);
    asio::awaitable<std::vector<TenantRoleName>> tenants(std::int64_t id);
    // What the key is called of a session (0: of none), or of a request; empty: it is a person.
    asio::awaitable<std::string> caller_name(std::int64_t session, std::optional<std::int32_t> key);
    // Where a person may act who has no session yet.
    asio::awaitable<std::vector<TenantRoleName>> tenants_of(
        std::string subject, json::object roles
    );
    // False when its owner has no tenant of that name.
    asio::awaitable<bool> switch_to(std::int64_t id, std::string tenant);
    // The hashes of what was ended: of this session, or of all that its owner, or a key, has.
    asio::awaitable<std::vector<std::string>> end(std::int64_t id);
    asio::awaitable<std::vector<std::string>> end_all(
        std::int64_t session, std::optional<std::int32_t> key
    );
    // Of the owner of a session (0: of none), or of a key, as documents; those in use, the last
    // used first.
    asio::awaitable<std::vector<json::object>> list(
        std::int64_t session, std::optional<std::int32_t> key
    );
    // One of them; the hash of what was ended.
    asio::awaitable<std::vector<std::string>> end_one(
        std::int64_t session, std::optional<std::int32_t> key, std::int64_t id
    );

    // A link that signs in once, with the rights of a key; false when there is no such key.
    asio::awaitable<bool> create_ticket(std::string hash, std::string key_hash, Duration life);
    // Its key; none when it was used already or has expired.
    asio::awaitable<std::optional<ApiKey>> take_ticket(std::string hash);

    asio::awaitable<Member> put_member(
        TenantId tenant, std::string subject, std::string role, std::string by
    );
    asio::awaitable<std::vector<Member>> list_members(
        TenantId tenant, std::string after, std::int32_t limit
    );
    asio::awaitable<bool> delete_member(TenantId tenant, std::string subject);

private:
    asio::awaitable<std::vector<std::string>> end_by(const pg::Query& query, pg::Params params);

    pg::Pool& pool_;
};

}  // namespace pawl::store
