#pragma once

#include "cli/commands/finding.hpp"
#include "pg/connection.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::cli {

namespace asio = boost::asio;

// What `pawl doctor` looks at. The first group needs a connection, the second Pawl's tables. A
// check that throws is turned into a finding by the caller.
asio::awaitable<Finding> check_migrations(pg::Connection& connection);
asio::awaitable<Finding> check_prepared(pg::Connection& connection, pg::ConnectOptions connect);
asio::awaitable<Finding> check_listen(pg::Connection& connection, pg::ConnectOptions connect);

// What the database said the time was between two readings of our clock.
Finding clock_finding(Instant before, Instant theirs, Instant after);

// False on a standby, and where everything is read-only.
asio::awaitable<bool> takes_writes(pg::Connection& connection);
asio::awaitable<Finding> check_writes(pg::Connection& connection);

// Does what a worker does, under a name of its own, and takes it back.
asio::awaitable<std::vector<Finding>> check_worker(store::PgStore& store);
asio::awaitable<std::vector<Finding>> check_health(store::PgStore& store);
asio::awaitable<Finding> check_queues(pg::Connection& connection);

}  // namespace pawl::cli
