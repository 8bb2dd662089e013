#include "store/repos/merchants.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<bool> Merchants::is(TenantId tenant, std::string merchant) {
    const auto rows =
        co_await call(pool_, queries::is_merchant, params_of(tenant, merchant), tenant);
    co_return rows.boolean(0, 0);
}

asio::awaitable<json::value> Merchants::dispatch(Tenant tenant, TableChange change) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(change.merchant));
    params.add(std::string_view(change.table)).add(std::string_view(change.operation));
    params.add(some(change.user)).add(some(change.record_id)).add_json(change.record);
    if (change.old.is_null()) {
        params.add_null();
    } else {
        params.add_json(change.old);
    }
    const auto rows = co_await call(pool_, queries::dispatch_change, std::move(params), tenant.id);
    co_return rows.jsonb(0, 0);
}

}  // namespace pawl::store
