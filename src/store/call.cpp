#include "store/call.hpp"

#include "store/queries.gen.hpp"

namespace pawl::store {

boost::asio::awaitable<pg::Rows> call(pg::Pool& pool, const pg::Query& query, pg::Params params) {
    auto connection = co_await pool.acquire();
    co_return co_await connection->run(query, std::move(params), call_limit);
}

pg::Statement wake_workers(std::int16_t bucket) {
    pg::Statement statement;
    statement.query = &queries::notify_workers;
    statement.params.add(std::string_view(std::to_string(bucket)));
    statement.own_transaction = true;
    return statement;
}

}  // namespace pawl::store
