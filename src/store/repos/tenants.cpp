#include "store/repos/tenants.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

std::optional<std::int32_t> number_or_none(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return rows.int4(row, column);
}

TenantLimits limits_of(const pg::Rows& rows, int row, int first) {
    return {
        number_or_none(rows, row, first),
        number_or_none(rows, row, first + 1),
        number_or_none(rows, row, first + 2)};
}

std::vector<TenantDetails> tenants_of(const pg::Rows& rows) {
    std::vector<TenantDetails> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back(
            {{rows.int4(row, 0), rows.int2(row, 1)},
             std::string(rows.text(row, 2)),
             rows.instant(row, 3),
             limits_of(rows, row, 4)}
        );
    }
    return found;
}

}  // namespace

asio::awaitable<std::optional<TenantDetails>> Tenants::create(std::string name) {
    const auto made = tenants_of(co_await call(pool_, queries::create_tenant, params_of(name)));
    if (made.empty()) co_return std::nullopt;
    co_return made.front();
}

asio::awaitable<std::vector<TenantDetails>> Tenants::list() {
    co_return tenants_of(
        co_await call(pool_, queries::list_tenants, params_of(std::optional<std::string_view>()))
    );
}

asio::awaitable<std::optional<TenantDetails>> Tenants::find(std::string name) {
    const auto found = tenants_of(co_await call(
        pool_, queries::list_tenants, params_of(std::optional<std::string_view>(name))
    ));
    if (found.empty()) co_return std::nullopt;
    co_return found.front();
}

asio::awaitable<std::optional<TenantDetails>> Tenants::set_limits(
    std::string name, TenantLimits limits
) {
    pg::Params params;
    params.add(std::string_view(name)).add(limits.open_runs).add(limits.starts_per_second);
    params.add(limits.payload_bytes);
    const auto set = tenants_of(co_await call(pool_, queries::limit_tenant, std::move(params)));
    if (set.empty()) co_return std::nullopt;
    co_return set.front();
}

asio::awaitable<TenantLimits> Tenants::limits(TenantId tenant) {
    const auto rows = co_await call(pool_, queries::tenant_limits, params_of(tenant));
    if (rows.size() == 0) co_return TenantLimits{};
    co_return limits_of(rows, 0, 0);
}

asio::awaitable<std::string> Tenants::name(TenantId tenant) {
    const auto rows = co_await call(pool_, queries::tenant_name, params_of(tenant));
    if (rows.size() == 0) {
        throw Failure({Errc::not_found, "there is no tenant " + std::to_string(tenant), {}});
    }
    co_return rows.text(0, 0);
}

asio::awaitable<std::int32_t> Tenants::count_open(Tenant tenant, std::int32_t most) {
    const auto rows =
        co_await call(pool_, queries::count_open_runs, params_of(tenant.bucket, tenant.id, most));
    co_return rows.int4(0, 0);
}

asio::awaitable<std::int32_t> Tenants::count_recent_starts(Tenant tenant, std::int32_t most) {
    const auto rows = co_await call(
        pool_, queries::count_recent_starts, params_of(tenant.bucket, tenant.id, most)
    );
    co_return rows.int4(0, 0);
}

}  // namespace pawl::store
