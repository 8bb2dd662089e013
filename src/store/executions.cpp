#include "store/executions.hpp"

#include "store/call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::optional<json::value>> Executions::find(TenantId tenant, RunId run) {
    pg::Params params;
    params.add(run.uuid);
    const auto rows = co_await call_as(pool_, tenant, queries::find_execution, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return rows.jsonb(0, 0);
}

}  // namespace pawl::store
