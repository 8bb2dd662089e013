#include "store/repos/executions.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

json::array column(const pg::Rows& rows) {
    json::array all;
    for (int row = 0; row < rows.size(); ++row) all.push_back(rows.shown_jsonb(row, 0));
    return all;
}

}  // namespace

asio::awaitable<std::optional<json::value>> Executions::find(TenantId tenant, RunId run) {
    const auto rows = co_await call_as(pool_, tenant, queries::find_execution, params_of(run.uuid));
    if (rows.size() == 0) co_return std::nullopt;
    co_return rows.jsonb(0, 0);
}

asio::awaitable<json::array> Executions::runs(TenantId tenant, std::vector<RunId> runs) {
    pg::Array ids(pg::Type::uuid);
    ids.reserve(runs.size(), 16);
    for (const RunId& run : runs) ids.add(run.uuid);
    co_return column(
        co_await call_as(pool_, tenant, queries::find_document_runs, params_of(std::move(ids)))
    );
}

asio::awaitable<json::array> Executions::steps(TenantId tenant, RunId run) {
    co_return column(
        co_await call_as(pool_, tenant, queries::find_document_steps, params_of(run.uuid))
    );
}

asio::awaitable<json::array> Executions::logs(TenantId tenant, RunId run) {
    co_return column(
        co_await call_as(pool_, tenant, queries::find_document_logs, params_of(run.uuid))
    );
}

asio::awaitable<KeyHold> Executions::reserve_key(
    TenantId tenant, std::string workflow, std::string key
) {
    const auto rows = co_await call_as(
        pool_, tenant, queries::reserve_document_key, params_of(tenant, workflow, key)
    );
    KeyHold hold;
    if (!rows.is_null(0, 0)) hold.run = RunId{rows.uuid(0, 0)};
    hold.mine = rows.boolean(0, 1);
    co_return hold;
}

asio::awaitable<void> Executions::release_key(
    TenantId tenant, std::string workflow, std::string key
) {
    co_await call_as(
        pool_, tenant, queries::release_document_key, params_of(tenant, workflow, key)
    );
}

}  // namespace pawl::store
