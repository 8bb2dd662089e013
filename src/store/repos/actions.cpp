#include "store/repos/actions.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::optional<Action>> Actions::find(TenantId tenant, std::string name) {
    const auto rows = co_await call(pool_, queries::find_action, params_of(tenant, name));
    if (rows.size() == 0) co_return std::nullopt;
    Action action;
    action.statement = rows.text(0, 0);
    const json::value params_json = rows.jsonb(0, 1);
    for (const json::value& one : params_json.as_array())
        action.params.emplace_back(one.as_string());
    action.tenant = rows.text(0, 2);
    action.organization = rows.text(0, 3);
    co_return action;
}

}  // namespace pawl::store
