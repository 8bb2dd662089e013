#pragma once

#include "cli/terminal/globals.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::cli {

// A process on tables it does not know would fail later and less clearly. Says so and returns an
// exit code when migrations are pending.
boost::asio::awaitable<int> check_schema(pg::Connection& connection, const Globals& globals);

}  // namespace pawl::cli
