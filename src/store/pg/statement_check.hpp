#pragma once

#include "pg/pool.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;

// The server's error for each of these statements that it cannot parse, with its place. Nothing: it
// is SQL. No statement runs, and no name in it is looked up, so any login will do, and a table may
// come later.
asio::awaitable<std::vector<std::optional<std::string>>> syntax_errors(
    pg::Pool& pool, std::vector<std::string> statements
);

// " (line 2, column 8)" of the character at a position, which counts from 1 and has `before` more
// characters in front of the text; empty: nowhere in it.
std::string place_in(std::string_view text, std::string_view position, std::size_t before = 0);

}  // namespace pawl::store
