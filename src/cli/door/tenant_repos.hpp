#pragma once

#include "app/tenants/tenant_uses.hpp"
#include "pg/pool.hpp"

#include <string>

namespace pawl::cli {

// Tenants and their keys are no matter of a server: commands work on the database itself.
struct TenantRepos {
    explicit TenantRepos(pg::Pool& pool) : tenants(pool), keys(pool), uses{tenants, keys} {}

    store::Tenants tenants;
    store::ApiKeys keys;
    app::TenantUses uses;
};

// With the command that lists tenants, where there is none of that name.
Error with_tenant_hint(Error error);

// The tenant and the database's time; Errc::not_found when there is none of that name.
boost::asio::awaitable<Result<store::TenantNow>> read_tenant(
    store::ApiKeys& keys, std::string name
);

}  // namespace pawl::cli
