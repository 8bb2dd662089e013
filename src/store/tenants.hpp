#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

struct TenantDetails {
    Tenant tenant;
    std::string name;
    Instant created_at{};
};

// pawl.tenant: who owns workflows, runs and keys. The pool must outlive it.
class Tenants {
public:
    explicit Tenants(pg::Pool& pool) : pool_(pool) {}

    // None: there is one of that name already.
    asio::awaitable<std::optional<TenantDetails>> create(std::string name);
    asio::awaitable<std::vector<TenantDetails>> list();
    asio::awaitable<std::optional<TenantDetails>> find(std::string name);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
