#pragma once

#include "pg/pool.hpp"
#include "store/pg/left_statements.hpp"
#include "store/store.hpp"

#include <boost/json/array.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A statement of a user, to be run exactly once under its key.
struct SqlStep {
    Bucket bucket = 0;
    RunId run;
    WorkerId worker;  // that holds the run
    std::string key;
    std::string statement;
    std::vector<std::optional<std::string>> params;  // as literals of whatever type is wanted
    Duration timeout = std::chrono::seconds(30);     // of the statement, and of each lock
    pg::TextLimits limits;
    bool in_pages = false;   // keeps the rows in pages, and gives where they are
    bool read_only = false;  // cannot change anything, so that it may run more than once
};

// One of the pages that a statement has left.
struct SqlPage {
    Bucket bucket = 0;
    RunId run;  // whose statement it was
    std::string key;
    std::int32_t page = 1;
    Duration timeout = std::chrono::seconds(30);
};

// What a condition asks about the rows of a subject.
struct ConditionQuery {
    std::string table;
    std::string field;
    std::string operation;
    json::value value;
    std::optional<std::string> subject_field;
};

struct ConditionQueries {
    std::int32_t tenant = 1;
    std::string subject;
    std::vector<ConditionQuery> queries;
    Duration timeout = std::chrono::seconds(2);
};

// A query of a user whose rows are read some at a time. `take` gets them, and says whether it wants
// more.
struct RowQuery {
    std::string query;
    std::size_t rows = 2000;                      // at a time
    Duration timeout = std::chrono::minutes(10);  // of each fetch
    std::function<asio::awaitable<bool>(pg::TextTable)> take;
};

// How many characters stand before the query in the statement that the server reads.
inline constexpr std::string_view declare_cursor = "declare pawl_rows no scroll cursor for ";

// How many rows a query gives, and the first of them.
struct QueryPreview {
    std::int64_t count = 0;
    pg::TextTable first;
};

// Statements of users in the database of the engine, with connections of their own. A statement may
// leave anything behind in its session, so every session is wiped after use. The pool is given
// without prepared statements and outlives this.
class SqlSteps {
public:
    // With a role, statements run as that role. Only `as_engine` they may run with a login that was
    // not let in by pawl.allow_sql_role.
    SqlSteps(pg::Pool& pool, std::string role, bool as_engine = false)
        : pool_(pool), role_(std::move(role)), as_engine_(as_engine), left_(pool) {}

    // {rows, count} of the statement, where rows in pages are {run, key, pages, count}, or of the
    // one that ran under this key before: pawl.sql_effect holds the result since the very commit of
    // the statement. Whatever is thrown, nothing of it has happened, or the next try finds its
    // result. What goes wrong before the statement begins is the operator's matter and may name
    // addresses and logins: it is logged, and thrown as Errc::unavailable without them.
    asio::awaitable<json::value> run(SqlStep step);

    // The rows of a page; null: there is none, or it is not for this login.
    asio::awaitable<json::value> read(SqlPage page);

    // One answer a query, in a transaction that can only read.
    asio::awaitable<std::vector<bool>> ask(ConditionQueries queries);

    // All in one transaction that can only read, as one SELECT and nothing else. The names of its
    // columns; with no `take` that is all, and no row is read. A preview takes `timeout` as a
    // whole.
    asio::awaitable<std::vector<std::string>> read_rows(RowQuery query);
    asio::awaitable<QueryPreview> preview(RowQuery query);

    // Removes up to `batch` results that no step can ask for again; returns how many it looked at.
    asio::awaitable<std::int64_t> purge(Bucket bucket, int batch = 1000);

private:
    // What ran under the key before; null: nothing, and the statement may begin.
    asio::awaitable<json::value> begin(pg::Connection& connection, const SqlStep& step);
    asio::awaitable<json::value> run_in(pg::Connection& connection, SqlStep step);
    asio::awaitable<std::vector<bool>> ask_in(pg::Connection& connection, ConditionQueries queries);
    asio::awaitable<void> begin_reading(pg::Connection& connection, Duration timeout);
    asio::awaitable<std::vector<std::string>> read_rows_in(
        pg::Connection& connection, RowQuery query
    );
    asio::awaitable<QueryPreview> preview_in(pg::Connection& connection, RowQuery query);
    template <class T, class Asked>
    using Work = asio::awaitable<T> (SqlSteps::*)(pg::Connection&, Asked);
    // Does it on a connection of the pool, and ends what goes on when that is cut off.
    template <class T, class Asked>
    asio::awaitable<T> on_connection(Work<T, Asked> work, Asked asked);
    asio::awaitable<json::value> keep_pages(
        pg::Connection& connection, const SqlStep& step, const pg::TextTable& table
    );

    pg::Pool& pool_;
    std::string role_;
    bool as_engine_;
    LeftStatements left_;
};

}  // namespace pawl::store
