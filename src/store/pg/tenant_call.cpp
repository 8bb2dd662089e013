#include "store/pg/tenant_call.hpp"

#include "store/queries.gen.hpp"

namespace pawl::store {

boost::asio::awaitable<pg::Rows> call(
    pg::Pool& pool, const pg::Query& query, pg::Params params, TenantId turn_of
) {
    auto connection = co_await pool.acquire(turn_of);
    co_return co_await connection->run(query, std::move(params), call_limit);
}

boost::asio::awaitable<pg::Rows> call_as(
    pg::Pool& pool, TenantId tenant, const pg::Query& query, pg::Params params
) {
    std::vector<pg::Statement> statements(1);
    statements[0].query = &query;
    statements[0].params = std::move(params);
    auto results = co_await call_all_as(pool, tenant, std::move(statements));
    co_return std::move(results[0]);
}

boost::asio::awaitable<pg::Rows> call_as(
    pg::Pool& pool, Author author, const pg::Query& query, pg::Params params
) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::act_for;
    statements[0].params.add(std::string_view(author.by));
    statements[1].query = &query;
    statements[1].params = std::move(params);
    auto results = co_await call_all_as(pool, author.tenant, std::move(statements));
    co_return std::move(results[1]);
}

boost::asio::awaitable<bool> any_row(pg::Pool& pool, const pg::Query& query, pg::Params params) {
    const auto rows = co_await call(pool, query, std::move(params));
    co_return rows.size() > 0;
}

boost::asio::awaitable<bool> any_row_as(
    pg::Pool& pool, TenantId tenant, const pg::Query& query, pg::Params params
) {
    const auto rows = co_await call_as(pool, tenant, query, std::move(params));
    co_return rows.size() > 0;
}

boost::asio::awaitable<std::vector<pg::Rows>> call_all_as(
    pg::Pool& pool, TenantId tenant, std::vector<pg::Statement> statements
) {
    pg::Statement enter;
    enter.query = &queries::enter_tenant;
    enter.params.add(std::string_view(std::to_string(tenant))).add(lock_limit);
    statements.insert(statements.begin(), std::move(enter));
    auto connection = co_await pool.acquire(tenant);
    auto results = co_await connection->run_all(std::move(statements), call_limit);
    results.erase(results.begin());
    co_return results;
}

boost::asio::awaitable<pg::Rows> call_and_wake(
    pg::Pool& pool, std::int16_t bucket, const pg::Query& query, pg::Params params
) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &query;
    statements[0].params = std::move(params);
    statements[1] = wake_workers(bucket);
    auto connection = co_await pool.acquire();
    auto results = co_await connection->run_all(std::move(statements), call_limit);
    co_return std::move(results[0]);
}

boost::asio::awaitable<void> confirm_found(pg::Pool& pool) {
    co_await call(pool, queries::confirm_found, {});
}

namespace {

pg::Statement notify(std::string_view payload) {
    pg::Statement statement;
    statement.query = &queries::notify_workers;
    statement.params.add(payload);
    statement.own_transaction = true;
    return statement;
}

}  // namespace

pg::Statement wake_workers(std::int16_t bucket) {
    return notify(std::to_string(bucket));
}

pg::Statement wake_for_runs() {
    return notify("runs");
}

}  // namespace pawl::store
