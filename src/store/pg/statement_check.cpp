#include "store/pg/statement_check.hpp"

#include "pg/pg_error.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

namespace pawl::store {

namespace {

constexpr Duration limit = std::chrono::seconds(10);
constexpr std::string_view syntax_error = "42601";
constexpr std::string_view in_failed_transaction = "25P02";
constexpr std::string_view division_by_zero = "22012";

pg::Statement plain(const pg::Query& query) {
    pg::Statement statement;
    statement.query = &query;
    return statement;
}

// The server reads a statement before it finds that the transaction has failed, and goes no further
// then.
asio::awaitable<std::optional<std::string>> error_in(
    pg::Connection& connection, const std::string& statement
) {
    const pg::Query query{"statement_check", statement.c_str(), 0};
    std::optional<pg::PgError::Detail> detail;
    try {
        co_await connection.describe(query, limit);
    } catch (const pg::PgError& error) {
        const bool expected = error.detail().sqlstate == in_failed_transaction;
        if (!expected && error.reaction() == pg::Reaction::reconnect) throw;
        detail = error.detail();
    }
    if (!detail || detail->sqlstate != syntax_error) co_return std::nullopt;
    co_return detail->message + place_in(statement, detail->position);
}

}  // namespace

std::string place_in(std::string_view text, std::string_view position, std::size_t before) {
    std::size_t left = 0;
    const auto [end, failed] =
        std::from_chars(position.data(), position.data() + position.size(), left);
    if (failed != std::errc{} || left <= before) return "";
    left -= before;
    std::size_t line = 1;
    std::size_t column = 1;
    for (const char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
        if (continues) continue;
        if (--left == 0) break;
        ++column;
        if (c == '\n') {
            ++line;
            column = 1;
        }
    }
    return fmt::format(" (line {}, column {})", line, column);
}

asio::awaitable<std::vector<std::optional<std::string>>> syntax_errors(
    pg::Pool& pool, std::vector<std::string> statements
) {
    std::vector<std::optional<std::string>> found;
    auto connection = co_await pool.acquire();
    // It goes back to the pool only if it comes out of this as it was.
    bool whole = false;
    const auto discard = [&](pg::Connection* used) {
        if (!whole) used->discard();
    };
    const std::unique_ptr<pg::Connection, decltype(discard)> guard(&*connection, discard);
    try {
        std::vector<pg::Statement> begin;
        begin.push_back(plain(queries::begin_transaction));
        begin.push_back(plain(queries::abort_transaction));
        co_await connection->run_all(std::move(begin), limit);
    } catch (const pg::PgError& error) {
        if (error.detail().sqlstate != division_by_zero) throw;
    }
    for (const std::string& statement : statements) {
        found.push_back(co_await error_in(*connection, statement));
    }
    std::vector<pg::Statement> end;
    end.push_back(plain(queries::commit_transaction));
    co_await connection->run_all(std::move(end), limit);
    whole = true;
    co_return found;
}

}  // namespace pawl::store
