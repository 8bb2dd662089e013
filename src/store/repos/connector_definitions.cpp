#include "store/repos/connector_definitions.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<ConnectorDefinition> ConnectorDefinitions::put(
    TenantId tenant, std::string name, json::value definition
) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name)).add_json(definition);
    const auto rows = co_await call_as(pool_, tenant, queries::put_connector, std::move(params));
    co_return ConnectorDefinition{
        std::move(name), std::move(definition), rows.instant(0, 1), rows.instant(0, 2)};
}

asio::awaitable<std::vector<ConnectorDefinition>> ConnectorDefinitions::list(TenantId tenant) {
    pg::Params params;
    params.add(tenant);
    const auto rows = co_await call_as(pool_, tenant, queries::list_connectors, std::move(params));
    std::vector<ConnectorDefinition> all;
    for (int row = 0; row < rows.size(); ++row) {
        all.push_back(
            {rows.text(row, 0), rows.jsonb(row, 1), rows.instant(row, 2), rows.instant(row, 3)}
        );
    }
    co_return all;
}

asio::awaitable<bool> ConnectorDefinitions::remove(TenantId tenant, std::string name) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name));
    const auto rows = co_await call_as(pool_, tenant, queries::delete_connector, std::move(params));
    co_return rows.size() > 0;
}

}  // namespace pawl::store
