#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// None: no limit.
struct TenantLimits {
    std::optional<std::int32_t> open_runs;
    std::optional<std::int32_t> starts_per_second;
    std::optional<std::int32_t> payload_bytes;  // of the data of one run
};

struct TenantDetails {
    Tenant tenant;
    std::string name;
    Instant created_at{};
    TenantLimits limits;
};

// pawl.tenant: who owns workflows, runs and keys. The pool must outlive it.
class Tenants {
public:
    explicit Tenants(pg::Pool& pool) : pool_(pool) {}

    // None: there is one of that name already.
    asio::awaitable<std::optional<TenantDetails>> create(std::string name);
    asio::awaitable<std::vector<TenantDetails>> list();
    asio::awaitable<std::optional<TenantDetails>> find(std::string name);
    // None: there is no such tenant. Replaces all three.
    asio::awaitable<std::optional<TenantDetails>> set_limits(std::string name, TenantLimits limits);
    asio::awaitable<TenantLimits> limits(TenantId tenant);
    // Throws Errc::not_found when there is no such tenant.
    asio::awaitable<std::string> name(TenantId tenant);
    // Open runs, counted up to `most`.
    asio::awaitable<std::int32_t> count_open(Tenant tenant, std::int32_t most);
    // Runs that began in the last second, through whatever door, counted up to `most`.
    asio::awaitable<std::int32_t> count_recent_starts(Tenant tenant, std::int32_t most);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
