#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <utility>

namespace pawl::store {

// A statement that takes longer than this is cut; what it did is unknown then and the caller sends
// it again.
inline constexpr Duration call_limit = std::chrono::seconds(30);
// On behalf of a tenant, so long for a lock that a transaction holds, perhaps one that its own
// programs leave open.
inline constexpr std::string_view lock_limit = "5s";

// The parameters of a statement, in order; each as its type says.
template <class... Values>
pg::Params params_of(Values&&... values) {
    pg::Params params;
    (params.add(std::forward<Values>(values)), ...);
    return params;
}

// One statement on a connection of the pool, which must outlive the call. With a tenant it waits
// for its turn among those of tenants; 0: for this process.
boost::asio::awaitable<pg::Rows> call(
    pg::Pool& pool, const pg::Query& query, pg::Params params, TenantId turn_of = 0
);

// The same on behalf of a tenant: row-level security shows the statement no other rows, whatever it
// asks for (pawl.current_tenant). No extra round trip.
boost::asio::awaitable<pg::Rows> call_as(
    pg::Pool& pool, TenantId tenant, const pg::Query& query, pg::Params params
);
// The same for a change of a workflow, which is noted under the author's name.
boost::asio::awaitable<pg::Rows> call_as(
    pg::Pool& pool, Author author, const pg::Query& query, pg::Params params
);
// Whether such a statement returns a row.
boost::asio::awaitable<bool> any_row(pg::Pool& pool, const pg::Query& query, pg::Params params);
boost::asio::awaitable<bool> any_row_as(
    pg::Pool& pool, TenantId tenant, const pg::Query& query, pg::Params params
);
// Several statements, as pg::Connection::run_all does them.
boost::asio::awaitable<std::vector<pg::Rows>> call_all_as(
    pg::Pool& pool, TenantId tenant, std::vector<pg::Statement> statements
);

// One statement, and wake_workers() behind it.
boost::asio::awaitable<pg::Rows> call_and_wake(
    pg::Pool& pool, std::int16_t bucket, const pg::Query& query, pg::Params params
);

// To be awaited before an answer that rests on a row which was there already: when it returns, that
// row is as durable as its own commit promised, also where the commit's wait for a standby was cut.
boost::asio::awaitable<void> confirm_found(pg::Pool& pool);

// Tells the workers of all processes that there is work, after what was sent before it.
pg::Statement wake_workers(std::int16_t bucket);
// The same where only runs became ready: workers do not look for events then.
pg::Statement wake_for_runs();

// An empty text stands for "not given", which is NULL in the database.
inline std::optional<std::string_view> some(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return text;
}

// What is not given is NULL.
template <class Value>
void add_some(pg::Array& array, const std::optional<Value>& value) {
    value ? array.add(*value) : array.add_null();
}

}  // namespace pawl::store
