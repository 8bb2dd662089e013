#pragma once

#include "cli/options.hpp"
#include "store/jobs.hpp"
#include "store/pg_store.hpp"
#include "store/versions.hpp"

namespace pawl::cli {

namespace asio = boost::asio;

// What the commands about versions work with.
struct VersionsDesk {
    VersionsDesk(pg::Pool& pool, store::Tenant whose, const VersionsOptions& asked)
        : options(asked), tenant(whose), store(pool), versions(pool), jobs(pool) {}

    // Its number; throws Failure (not_found) when there is none.
    asio::awaitable<std::int32_t> number(std::string written);

    const VersionsOptions& options;
    store::Tenant tenant;
    store::PgStore store;
    store::Versions versions;
    store::Jobs jobs;
};

// Each outlives its call.
asio::awaitable<int> list_versions(VersionsDesk& desk);
asio::awaitable<int> list_history(VersionsDesk& desk);
asio::awaitable<int> diff_versions(VersionsDesk& desk);
asio::awaitable<int> change_versions(VersionsDesk& desk);
asio::awaitable<int> migrate_versions(VersionsDesk& desk);
asio::awaitable<int> rollback_version(VersionsDesk& desk);

}  // namespace pawl::cli
