#include "store/repos/overviews.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<json::object> Overviews::of_tenant(Tenant tenant) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id);
    const auto rows = co_await call_as(pool_, tenant.id, queries::overview, std::move(params));
    json::value found;
    pg::RowReader(rows, 0) >> found;
    co_return found.as_object();
}

asio::awaitable<json::object> Overviews::of_service(Tenant tenant) {
    pg::Params params;
    params.add(tenant.bucket);
    const auto rows =
        co_await call(pool_, queries::overview_of_service, std::move(params), tenant.id);
    json::value found;
    pg::RowReader(rows, 0) >> found;
    co_return found.as_object();
}

}  // namespace pawl::store
