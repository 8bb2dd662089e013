#include "store/repos/connector_definitions.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

ConnectorDefinition definition_of(const pg::Rows& rows, int row) {
    return {rows.text(row, 0), rows.jsonb(row, 1), rows.instant(row, 2), rows.instant(row, 3)};
}

}  // namespace

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
    const auto rows = co_await call_as(pool_, tenant, queries::list_connectors, params_of(tenant));
    co_return pg::all_rows(rows, definition_of);
}

asio::awaitable<bool> ConnectorDefinitions::remove(TenantId tenant, std::string name) {
    return any_row_as(pool_, tenant, queries::delete_connector, params_of(tenant, name));
}

}  // namespace pawl::store
