#pragma once

#include "app/doctor/finding.hpp"
#include "base/clock.hpp"
#include "pg/connection.hpp"
#include "pg/pool.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::app {

namespace asio = boost::asio;

// One of the checks that are a statement: sql/queries/doctor*.sql.
struct RowCheck {
    const char* name;
    const pg::Query& query;
    enum class Takes { nothing, bucket, patience, bucket_and_patience } takes;
};

const std::vector<RowCheck>& row_checks();

// Its rows are findings: verdict, detail, what to do, code, what the sentences name.
asio::awaitable<std::vector<Finding>> check_rows(
    pg::Connection& connection, RowCheck check, Duration patience
);

asio::awaitable<Finding> check_migrations(pg::Connection& connection);
asio::awaitable<std::vector<Finding>> check_health(store::PgStore& store);
asio::awaitable<Finding> check_queues(pg::Connection& connection);

// All of them, with a connection of the pool: what `pawl doctor` finds in the database, without
// what it finds out about the machine it runs on. A check that fails is a finding.
asio::awaitable<std::vector<Finding>> examine_database(
    pg::Pool& pool, store::PgStore& store, Duration patience
);

}  // namespace pawl::app
