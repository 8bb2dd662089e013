#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <boost/json/array.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A statement of a user, to be run exactly once under its key.
struct SqlStep {
    Bucket bucket = 0;
    RunId run;
    std::string key;
    std::string statement;
    std::vector<std::optional<std::string>> params;  // as literals of whatever type is wanted
    Duration timeout = std::chrono::seconds(30);     // of the statement, and of each lock
    pg::TextLimits limits;
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

// Statements of users in the database of the engine, with connections of their own. A statement may
// leave anything behind in its session, so every session is wiped after use. The pool is given
// without prepared statements and outlives this.
class SqlSteps {
public:
    // With a role, statements run as that role.
    SqlSteps(pg::Pool& pool, std::string role) : pool_(pool), role_(std::move(role)) {}

    // {rows, count} of the statement, or of the one that ran under this key before: pawl.sql_effect
    // holds the result since the very commit of the statement. Whatever is thrown, nothing of it
    // has happened, or the next try finds its result.
    asio::awaitable<json::value> run(SqlStep step);

    // One answer a query, in a transaction that can only read.
    asio::awaitable<std::vector<bool>> ask(ConditionQueries queries);

    // Removes up to `batch` results that nobody will ask for again; returns how many it looked at.
    asio::awaitable<std::int64_t> purge(Bucket bucket, int batch = 1000);

private:
    asio::awaitable<json::value> run_in(pg::Connection& connection, SqlStep step);

    pg::Pool& pool_;
    std::string role_;
};

}  // namespace pawl::store
