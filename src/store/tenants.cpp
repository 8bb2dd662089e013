#include "store/tenants.hpp"

#include "store/call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

std::vector<TenantDetails> tenants_of(const pg::Rows& rows) {
    std::vector<TenantDetails> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back(
            {{rows.int4(row, 0), rows.int2(row, 1)},
             std::string(rows.text(row, 2)),
             rows.instant(row, 3)}
        );
    }
    return found;
}

}  // namespace

asio::awaitable<std::optional<TenantDetails>> Tenants::create(std::string name) {
    pg::Params params;
    params.add(std::string_view(name));
    const auto made = tenants_of(co_await call(pool_, queries::create_tenant, std::move(params)));
    if (made.empty()) co_return std::nullopt;
    co_return made.front();
}

asio::awaitable<std::vector<TenantDetails>> Tenants::list() {
    pg::Params params;
    params.add(std::optional<std::string_view>());
    co_return tenants_of(co_await call(pool_, queries::list_tenants, std::move(params)));
}

asio::awaitable<std::optional<TenantDetails>> Tenants::find(std::string name) {
    pg::Params params;
    params.add(std::optional<std::string_view>(name));
    const auto found = tenants_of(co_await call(pool_, queries::list_tenants, std::move(params)));
    if (found.empty()) co_return std::nullopt;
    co_return found.front();
}

}  // namespace pawl::store
