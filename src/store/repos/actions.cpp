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
    if (!rows.is_null(0, 4)) action.schema = rows.jsonb(0, 4);
    co_return action;
}

asio::awaitable<std::vector<ListedAction>> Actions::list(TenantId tenant) {
    const auto rows = co_await call(pool_, queries::list_actions, params_of(tenant), tenant);
    std::vector<ListedAction> all;
    for (int i = 0; i < rows.size(); ++i) {
        ListedAction one;
        one.name = rows.text(i, 0);
        one.params = rows.jsonb(i, 1).as_array();
        if (!rows.is_null(i, 2)) one.schema = rows.jsonb(i, 2);
        one.own = rows.boolean(i, 3);
        all.push_back(std::move(one));
    }
    co_return all;
}

}  // namespace pawl::store
