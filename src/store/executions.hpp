#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Runs as document 000 shows them: rows of the view workflow_executions. The pool must outlive it.
class Executions {
public:
    explicit Executions(pg::Pool& pool) : pool_(pool) {}

    // The whole row as JSON, or nothing.
    asio::awaitable<std::optional<json::value>> find(TenantId tenant, RunId run);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
