#pragma once

#include "pg/pool.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;

// What the server says about each of these statements that it cannot read: its words, and where.
// Nothing: it is SQL. No statement is run, and no name in it is looked up, so it does not matter
// who is connected, and a table may come later.
asio::awaitable<std::vector<std::optional<std::string>>> syntax_errors(
    pg::Pool& pool, std::vector<std::string> statements
);

}  // namespace pawl::store
