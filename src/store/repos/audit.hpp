#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// What a caller did.
struct AuditEntry {
    std::int64_t id = 0;
    TenantId tenant = 1;
    Instant at{};
    std::string by;
    std::string by_name;  // of an API key; read only
    bool person = false;
    std::string action;  // the operation of the API
    std::string target;  // the path
    std::int32_t status = 0;
    std::string door;  // ui, api or cli
    std::string peer;
    std::string request_id;
};

struct AuditFilter {
    std::optional<std::int64_t> before;
    std::string by;      // empty: everyone
    std::string action;  // empty: everything
    std::int32_t limit = 50;
};

// pawl.audit. The pool must outlive it.
class Audit {
public:
    explicit Audit(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<void> note(AuditEntry entry);
    // Newest first.
    asio::awaitable<std::vector<AuditEntry>> list(TenantId tenant, AuditFilter filter);
    // Those that are older, of all tenants, at most so many; how many went.
    asio::awaitable<std::int64_t> purge(Duration older_than, std::int32_t batch);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
