#include "store/repos/sql_steps.hpp"

#include "base/log.hpp"
#include "pg/pg_error.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace pawl::store {

namespace {

// On top of what the server may take by itself, for the way there and back.
constexpr Duration slack = std::chrono::seconds(5);
// What one event of a log holds without effort: a foreach notes a page in its log.
constexpr std::size_t page_rows = 1000;
constexpr std::size_t page_bytes = 512 << 10;
constexpr std::size_t name_overhead = 6;  // quotes, colon and comma
// Of a page that has one row, as pawl.read_sql_page gives it.
constexpr std::size_t read_bytes_max = 16 << 20;
// Of pages that are sent in one statement.
constexpr std::size_t sent_bytes = 4 << 20;
// Of rows that are fetched together.
constexpr std::size_t rows_bytes_max = std::size_t{32} << 20;
constexpr std::string_view lock_not_available = "55P03";
constexpr std::string_view query_canceled = "57014";

// A connection in the middle of a transaction must not go back to the pool.
class Transaction {
public:
    explicit Transaction(pg::Connection& connection) : connection_(connection) {}
    ~Transaction() {
        if (!ended_) connection_.discard();
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void ended() { ended_ = true; }

private:
    pg::Connection& connection_;
    bool ended_ = false;
};

pg::Statement plain(const pg::Query& query) {
    pg::Statement statement;
    statement.query = &query;
    return statement;
}

// `pause`: between two statements.
pg::Statement limits_statement(Duration timeout, Duration pause = slack) {
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
    const auto idle = std::chrono::ceil<std::chrono::milliseconds>(pause).count();
    pg::Statement statement = plain(queries::limit_transaction);
    statement.params.add(std::string_view(std::to_string(ms)));
    statement.params.add(std::string_view(std::to_string(idle)));
    return statement;
}

pg::Statement become(std::string_view role) {
    pg::Statement statement = plain(queries::become_role);
    statement.params.add(role);
    return statement;
}

pg::Statement discard_session() {
    pg::Statement statement = plain(queries::discard_session);
    statement.own_transaction = true;
    return statement;
}

asio::awaitable<void> end_reading(pg::Connection& connection, Duration limit) {
    std::vector<pg::Statement> end;
    end.push_back(plain(queries::commit_transaction));
    end.push_back(discard_session());
    co_await connection.run_all(std::move(end), limit);
}

pg::Statement about_effect(const pg::Query& query, const SqlStep& step) {
    pg::Statement statement = plain(query);
    statement.params.add(step.bucket).add(step.run.uuid).add(std::string_view(step.key));
    return statement;
}

json::value result_of(const pg::TextTable& table, json::value given) {
    const bool has_rows = !table.columns.empty();
    const auto rows = static_cast<std::int64_t>(table.rows.size());
    return json::object{{"rows", std::move(given)}, {"count", has_rows ? rows : table.affected}};
}

// About as much as the row takes as JSON, where each value has its name.
std::size_t bytes_of(const pg::TextTable& table, std::size_t row) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
        const auto& value = table.rows[row][i];
        bytes += table.columns[i].name.size() + name_overhead + (value ? value->size() : 0);
    }
    return bytes;
}

// Where the page that begins at `first` ends: a row that is larger than a page has one of its own.
std::size_t page_end(const pg::TextTable& table, std::size_t first) {
    std::size_t end = first;
    std::size_t bytes = 0;
    while (end < table.rows.size() && end - first < page_rows) {
        bytes += bytes_of(table, end);
        if (end > first && bytes > page_bytes) break;
        ++end;
    }
    return end;
}

// The step's error says that the statement is not at fault; the log has the rest for the operator.
Failure not_begun(const Failure& failure) {
    log::warn("the database for steps is not usable", {log::field("error", failure.what())});
    return Failure(
        {Errc::unavailable,
         "the worker's database for steps is not usable now; the log of the worker says why",
         {}}
    );
}

// The database refuses to keep such a page; a worker does not rely on it.
Failure too_large_page() {
    return Failure({Errc::too_large, "a page that no sql step has written", {}});
}

asio::awaitable<std::vector<pg::Rows>> answers_of(
    pg::Connection& connection, std::vector<pg::Statement> statements, Duration timeout
) {
    try {
        co_return co_await connection.run_all(std::move(statements), timeout + slack);
    } catch (const pg::PgError& error) {
        if (error.detail().query != queries::become_role.name) throw;
        throw not_begun(error);
    }
}

asio::awaitable<pg::Pool::Lease> acquire(pg::Pool& pool) {
    try {
        co_return co_await pool.acquire();
    } catch (const Failure& failure) {
        throw not_begun(failure);
    }
}

}  // namespace

template <class T, class Asked>
asio::awaitable<T> SqlSteps::on_connection(Work<T, Asked> work, Asked asked) {
    try {
        co_await left_.end();
    } catch (const Failure& failure) {
        throw not_begun(failure);
    }
    auto connection = co_await acquire(pool_);
    std::exception_ptr failed;
    {
        const LeftStatements::Watch watch(left_, *connection);
        try {
            co_return co_await (this->*work)(*connection, std::move(asked));
        } catch (...) {
            failed = std::current_exception();
        }
    }
    try {
        co_await left_.end();
    } catch (const std::exception& failure) {
        log::warn(
            "a statement of a step still runs after its timeout",
            {log::field("error", failure.what())}
        );
    }
    std::rethrow_exception(failed);
}

asio::awaitable<json::value> SqlSteps::run(SqlStep step) {
    return on_connection(&SqlSteps::run_in, std::move(step));
}

asio::awaitable<std::vector<bool>> SqlSteps::ask(ConditionQueries queries) {
    return on_connection(&SqlSteps::ask_in, std::move(queries));
}

asio::awaitable<json::value> SqlSteps::begin(pg::Connection& connection, const SqlStep& step) {
    std::vector<pg::Statement> begin;
    begin.push_back(plain(step.read_only ? queries::begin_read_only : queries::begin_transaction));
    begin.push_back(limits_statement(step.timeout));
    if (!step.read_only) {
        begin.push_back(about_effect(queries::begin_sql_effect, step));
        begin.back().params.add(step.worker.uuid).add(as_engine_);
    }
    if (!role_.empty()) begin.push_back(become(role_));
    try {
        const auto begun = co_await connection.run_all(std::move(begin), step.timeout + slack);
        if (step.read_only) co_return nullptr;
        co_return begun[2].jsonb(0, 0);
    } catch (const pg::PgError& error) {
        // Another worker is in the middle of the same: that is no fault of the login.
        const std::string& state = error.detail().sqlstate;
        if (state == lock_not_available || state == query_canceled) throw;
        throw not_begun(error);
    }
}

asio::awaitable<json::value> SqlSteps::run_in(pg::Connection& connection, SqlStep step) {
    Transaction transaction(connection);
    const Duration limit = step.timeout + slack;
    if (json::value earlier = co_await begin(connection, step); !earlier.is_null()) {
        // Nothing was done in this transaction that would be missed.
        co_return earlier;
    }

    pg::Params params;
    for (auto& param : step.params)
        param ? params.add_literal(std::move(*param)) : params.add_null();
    const auto table = co_await connection.run_foreign(
        std::move(step.statement), std::move(params), step.limits, limit
    );
    if (!connection.in_transaction()) {
        throw Failure({Errc::invalid, "the statement ended the transaction that it runs in", {}});
    }

    if (!role_.empty()) {
        std::vector<pg::Statement> back;
        back.push_back(become("none"));
        co_await connection.run_all(std::move(back), limit);
    }
    json::value rows;
    if (step.in_pages) {
        rows = co_await keep_pages(connection, step, table);
    } else {
        rows = to_json(table);
    }
    json::value result = result_of(table, std::move(rows));
    std::vector<pg::Statement> end;
    if (!step.read_only) {
        end.push_back(about_effect(queries::end_sql_effect, step));
        end.back().params.add_json(result);
    }
    end.push_back(plain(queries::commit_transaction));
    end.push_back(discard_session());
    co_await connection.run_all(std::move(end), limit);
    transaction.ended();
    co_return result;
}

asio::awaitable<json::value> SqlSteps::keep_pages(
    pg::Connection& connection, const SqlStep& step, const pg::TextTable& table
) {
    std::int32_t pages = 0;
    std::size_t at = 0;
    while (at < table.rows.size()) {
        std::vector<pg::Statement> add;
        add.push_back(about_effect(queries::add_sql_pages, step));
        add.back().params.add(pages + 1);
        pg::Array together(pg::Type::jsonb);
        for (std::size_t bytes = 0; at < table.rows.size() && bytes < sent_bytes; ++pages) {
            const std::size_t end = page_end(table, at);
            together.add_json(to_json(table, at, end));
            for (; at < end; ++at) bytes += bytes_of(table, at);
        }
        add.back().params.add(std::move(together));
        co_await connection.run_all(std::move(add), step.timeout + slack);
    }
    co_return json::object{
        {"run", to_string(step.run)},
        {"key", step.key},
        {"pages", pages},
        {"count", table.rows.size()}};
}

asio::awaitable<json::value> SqlSteps::read(SqlPage page) {
    auto connection = co_await acquire(pool_);
    std::vector<pg::Statement> statements;
    statements.push_back(plain(queries::read_sql_page));
    pg::Params& params = statements.back().params;
    params.add(page.bucket).add(page.run.uuid).add(std::string_view(page.key));
    params.add(page.page).add(as_engine_);
    const auto rows = co_await connection->run_all(std::move(statements), page.timeout + slack);
    if (rows[0].is_null(0, 0)) co_return nullptr;
    // One byte more for the version of the format.
    if (rows[0].bytes(0, 0).size() > read_bytes_max + 1) throw too_large_page();
    json::value items = rows[0].jsonb(0, 0);
    if (items.is_array() && items.get_array().size() > page_rows) throw too_large_page();
    co_return items;
}

asio::awaitable<std::vector<bool>> SqlSteps::ask_in(
    pg::Connection& connection, ConditionQueries asked
) {
    Transaction transaction(connection);
    std::vector<pg::Statement> statements;
    statements.push_back(plain(queries::begin_read_only));
    statements.push_back(limits_statement(asked.timeout));
    if (!role_.empty()) statements.push_back(become(role_));
    const std::size_t first = statements.size();
    for (const ConditionQuery& query : asked.queries) {
        statements.push_back(plain(queries::check_condition));
        pg::Params& params = statements.back().params;
        params.add(asked.tenant).add(std::string_view(query.table));
        params.add(std::string_view(query.field)).add(std::string_view(query.operation));
        params.add_json(query.value).add(std::string_view(asked.subject));
        if (query.subject_field) {
            params.add(std::string_view(*query.subject_field));
        } else {
            params.add_null();
        }
    }
    statements.push_back(plain(queries::commit_transaction));
    const auto rows = co_await answers_of(connection, std::move(statements), asked.timeout);
    transaction.ended();
    std::vector<bool> answers;
    answers.reserve(asked.queries.size());
    for (std::size_t i = 0; i < asked.queries.size(); ++i)
        answers.push_back(rows[first + i].boolean(0, 0));
    co_return answers;
}

asio::awaitable<std::vector<std::string>> SqlSteps::read_rows(RowQuery query) {
    return on_connection(&SqlSteps::read_rows_in, std::move(query));
}

asio::awaitable<QueryPreview> SqlSteps::preview(RowQuery query) {
    return on_connection(&SqlSteps::preview_in, std::move(query));
}

asio::awaitable<void> SqlSteps::begin_reading(pg::Connection& connection, Duration timeout) {
    std::vector<pg::Statement> begin;
    begin.push_back(plain(queries::begin_read_only));
    // What was fetched is stored before the next fetch, by another session, and that may take long.
    begin.push_back(limits_statement(timeout, timeout));
    if (!role_.empty()) begin.push_back(become(role_));
    co_await answers_of(connection, std::move(begin), timeout);
}

// A cursor takes nothing but a SELECT that changes no rows.
asio::awaitable<std::vector<std::string>> SqlSteps::read_rows_in(
    pg::Connection& connection, RowQuery asked
) {
    Transaction transaction(connection);
    const Duration limit = asked.timeout + slack;
    co_await begin_reading(connection, asked.timeout);
    const pg::TextLimits fetched{asked.rows, rows_bytes_max};
    co_await connection.run_foreign(std::string(declare_cursor) + asked.query, {}, fetched, limit);
    std::vector<std::string> names;
    for (bool more = true; more;) {
        const std::size_t count = asked.take ? asked.rows : 0;
        pg::TextTable table = co_await connection.run_foreign(
            fmt::format("fetch forward {} from pawl_rows", count), {}, fetched, limit
        );
        if (names.empty()) {
            for (const auto& column : table.columns) names.push_back(column.name);
        }
        more = !table.rows.empty() && co_await asked.take(std::move(table));
    }
    co_await end_reading(connection, limit);
    transaction.ended();
    co_return names;
}

asio::awaitable<QueryPreview> SqlSteps::preview_in(pg::Connection& connection, RowQuery asked) {
    Transaction transaction(connection);
    const Duration limit = asked.timeout + slack;
    const auto until = Steady::now() + asked.timeout;
    co_await begin_reading(connection, asked.timeout);
    const pg::TextLimits fetched{asked.rows, rows_bytes_max};
    co_await connection.run_foreign(std::string(declare_cursor) + asked.query, {}, fetched, limit);
    QueryPreview preview;
    preview.first = co_await connection.run_foreign(
        fmt::format("fetch forward {} from pawl_rows", asked.rows), {}, fetched, limit
    );
    const auto left = std::chrono::duration_cast<Duration>(until - Steady::now());
    std::vector<pg::Statement> rest_of_time;
    rest_of_time.push_back(
        limits_statement(std::max(left, Duration(std::chrono::milliseconds(1))), asked.timeout)
    );
    co_await connection.run_all(std::move(rest_of_time), limit);
    // The rest is not sent.
    const auto rest =
        co_await connection.run_foreign("move forward all in pawl_rows", {}, fetched, limit);
    preview.count = static_cast<std::int64_t>(preview.first.rows.size()) + rest.affected;
    co_await end_reading(connection, limit);
    transaction.ended();
    co_return preview;
}

asio::awaitable<std::int64_t> SqlSteps::purge(Bucket bucket, int batch) {
    const auto rows = co_await call(pool_, queries::purge_sql_effects, params_of(bucket, batch));
    co_return rows.int4(0, 0);
}

}  // namespace pawl::store
