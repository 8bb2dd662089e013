#pragma once

#include "app/doctor/checks.hpp"
#include "pg/connection.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::cli {

namespace asio = boost::asio;

using app::Finding;
using app::Verdict;

// What `pawl doctor` looks at beside the database (app/doctor). A check that throws is turned into
// a finding by the caller.
asio::awaitable<Finding> check_prepared(pg::Connection& connection, pg::ConnectOptions connect);
asio::awaitable<Finding> check_listen(pg::Connection& connection, pg::ConnectOptions connect);

// What the database said the time was between two readings of our clock.
Finding clock_finding(Instant before, Instant theirs, Instant after);

// False on a standby, and where everything is read-only.
asio::awaitable<bool> takes_writes(pg::Connection& connection);
asio::awaitable<Finding> check_writes(pg::Connection& connection);

// Does what a worker does, under a name of its own, and takes it back.
asio::awaitable<std::vector<Finding>> check_worker(store::PgStore& store);

}  // namespace pawl::cli
