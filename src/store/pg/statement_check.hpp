#pragma once

#include "pg/pool.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;

// The server's error for each of these statements that it cannot parse, with its place. Nothing: it
// is SQL. No statement runs, and no name in it is looked up, so any login will do, and a table may
// come later.
asio::awaitable<std::vector<std::optional<std::string>>> syntax_errors(
    pg::Pool& pool, std::vector<std::string> statements
);

}  // namespace pawl::store
