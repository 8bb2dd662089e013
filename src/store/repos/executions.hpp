#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// The run that has a correlation id of document 000, unique over all workflows of a tenant.
struct KeyHold {
    std::optional<RunId> run;  // it has a run
    bool mine = false;         // the caller starts its run; neither: another call is about to
};

// Runs as documents show them, each row whole, as JSON: document 000's view workflow_executions,
// document 002's workflow_runs, workflow_steps and step_logs. The pool must outlive it.
class Executions {
public:
    explicit Executions(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::optional<json::value>> find(TenantId tenant, RunId run);
    // Newest first; those of other tenants are left out.
    asio::awaitable<json::array> runs(TenantId tenant, std::vector<RunId> runs);
    asio::awaitable<json::array> steps(TenantId tenant, RunId run);
    asio::awaitable<json::array> logs(TenantId tenant, RunId run);

    asio::awaitable<KeyHold> reserve_key(TenantId tenant, std::string workflow, std::string key);
    // Nothing was started under it.
    asio::awaitable<void> release_key(TenantId tenant, std::string workflow, std::string key);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
