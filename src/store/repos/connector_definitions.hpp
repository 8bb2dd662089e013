#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <string>
#include <vector>

namespace pawl::store {

struct ConnectorDefinition {
    std::string name;
    json::value definition;
    Instant created_at{};
    Instant updated_at{};
};

// pawl.connector_definition: connectors of a tenant's own. The pool must outlive it.
class ConnectorDefinitions {
public:
    explicit ConnectorDefinitions(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<ConnectorDefinition> put(
        TenantId tenant, std::string name, json::value definition
    );
    asio::awaitable<std::vector<ConnectorDefinition>> list(TenantId tenant);
    asio::awaitable<bool> remove(TenantId tenant, std::string name);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
