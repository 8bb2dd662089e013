#pragma once

#include "app/doctor/finding.hpp"
#include "base/clock.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::cli {

namespace asio = boost::asio;

using app::Finding;
using app::Verdict;

// Removes what is open of runs that are closed.
asio::awaitable<Finding> mend_runs(pg::Connection& connection);
// Opens as many connections at a time as a worker does: a pooler, or a limit, may have fewer.
asio::awaitable<Finding> check_room(pg::ConnectOptions connect);

}  // namespace pawl::cli
