#include "store/migrate.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "pg/error.hpp"
#include "store/migrations.gen.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace pawl::store {

namespace {

// Migrations may wait for each other and rewrite tables; the session's limits are for short
// statements.
constexpr Duration limit = std::chrono::minutes(10);
constexpr const char* begin_text =
    "begin; set local statement_timeout = '10min'; set local lock_timeout = '10min'";

asio::awaitable<bool> migrations_exist(pg::Connection& connection) {
    const auto rows = co_await connection.run(queries::migrations_exist, {}, limit);
    co_return rows.boolean(0, 0);
}

// Created only when missing: a role that may not create schemas can still migrate a database that
// was prepared for it.
asio::awaitable<void> ensure_bookkeeping(pg::Connection& connection) {
    if (co_await migrations_exist(connection)) co_return;
    co_await connection.script(queries::create_schema.text, limit);
    co_await connection.script(queries::create_migration_table.text, limit);
}

// Whether two have made the bookkeeping at once, and this one came second. There is no table to
// lock before, and an advisory lock is for everybody to take, and to keep.
bool came_second(const std::exception_ptr& failed) {
    try {
        std::rethrow_exception(failed);
    } catch (const pg::PgError& error) {
        const std::string& state = error.detail().sqlstate;
        return state == "23505" || state == "42P06" || state == "42P07";
    } catch (...) {
        return false;
    }
}

// Applied migrations always are a prefix of the list, so their count says what comes next.
asio::awaitable<std::size_t> applied_count(pg::Connection& connection) {
    const auto rows = co_await connection.run(queries::applied_migrations, {}, limit);
    const auto count = static_cast<std::size_t>(rows.size());
    if (count > std::size(migrations)) {
        throw Failure(
            {Errc::conflict,
             "the database was migrated by a newer pawl; upgrade this one",
             {{"newest", rows.text(rows.size() - 1, 1)}}}
        );
    }
    co_return count;
}

// Every table belongs to somebody, also those that the last migrations made.
asio::awaitable<void> secure(pg::Connection& connection) {
    const auto rows = co_await connection.run(queries::secure_schema, {}, limit);
    for (int row = 0; row < rows.size(); ++row) {
        log::warn("row-level security is not complete", {log::field("missing", rows.text(row, 0))});
    }
}

// In an open transaction: applies one migration. False when there is none left.
asio::awaitable<bool> apply_next(pg::Connection& connection) {
    co_await ensure_bookkeeping(connection);
    co_await connection.run(queries::lock_migration_table, {}, limit);
    const auto changed = co_await connection.run(queries::owner_changed, {}, limit);
    if (changed.boolean(0, 0)) co_await secure(connection);
    const auto done = co_await applied_count(connection);
    if (done == std::size(migrations)) {
        co_await secure(connection);
        co_return false;
    }
    const Migration& next = migrations[done];
    pg::Params params;
    params.add(std::int32_t{next.number}).add(next.name);
    co_await connection.run(queries::record_migration, std::move(params), limit);
    co_await connection.script(next.sql, limit);
    // Hundreds of lines tell less than how many there were, which the caller says.
    log::debug("migrated", {log::field("number", next.number), log::field("name", next.name)});
    co_return true;
}

std::string recorded(const Migration& migration) {
    std::string text = queries::record_migration.text;
    const auto replace = [&text](std::string_view mark, const std::string& value) {
        text.replace(text.find(mark), mark.size(), value);
    };
    replace("$1", std::to_string(migration.number));
    replace("$2", "'" + std::string(migration.name) + "'");
    return text;
}

}  // namespace

asio::awaitable<int> migrate_up(
    pg::Connection& connection, std::function<void(int applied)> on_applied
) {
    for (int applied = 0;;) {
        const bool fresh = !co_await migrations_exist(connection);
        co_await connection.script(begin_text, limit);
        std::exception_ptr failed;
        bool more = false;
        try {
            more = co_await apply_next(connection);
        } catch (...) {
            failed = std::current_exception();
        }
        if (failed) {
            // A connection that is gone has rolled back by itself.
            if (connection.usable()) co_await connection.script("rollback", limit);
            if (fresh && came_second(failed) && co_await migrations_exist(connection)) continue;
            std::rethrow_exception(failed);
        }
        co_await connection.script("commit", limit);
        if (!more) co_return applied;
        ++applied;
        if (on_applied) on_applied(applied);
    }
}

asio::awaitable<std::vector<MigrationStatus>> migration_status(pg::Connection& connection) {
    std::vector<MigrationStatus> all;
    for (const Migration& migration : migrations) {
        all.push_back({migration.number, migration.name, std::nullopt});
    }
    if (!co_await migrations_exist(connection)) co_return all;
    const auto rows = co_await connection.run(queries::applied_migrations, {}, limit);
    for (int row = 0; row < rows.size(); ++row) {
        const int number = rows.int4(row, 0);
        const auto known = std::find_if(all.begin(), all.end(), [number](const auto& status) {
            return status.number == number;
        });
        // One that only a newer program knows is worth showing too.
        auto& status = known != all.end()
                           ? *known
                           : all.emplace_back(MigrationStatus{number, rows.text(row, 1), {}});
        status.applied_at = rows.instant(row, 2);
    }
    co_return all;
}

std::string migration_sql() {
    std::string script =
        "-- Creates or upgrades the schema of Pawl. A migration that is applied already fails on\n"
        "-- its first insert and is rolled back whole, so this script may be run again.\n";
    for (const Migration& migration : migrations) {
        script += "\nbegin;\n";
        for (const auto* step : {&queries::create_schema, &queries::create_migration_table}) {
            script += step->text;
            script += ";\n";
        }
        script += recorded(migration) + ";\n\n" + migration.sql + "\ncommit;\n";
    }
    script += std::string("\n") + queries::secure_schema.text + ";\n";
    return script;
}

}  // namespace pawl::store
