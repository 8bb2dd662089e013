#include "store/pg/migrate.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "pg/pg_error.hpp"
#include "store/migrations.gen.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <set>

namespace pawl::store {

namespace {

// Files may wait for each other and rewrite tables; the session's limits are for short statements.
constexpr Duration limit = std::chrono::minutes(10);
constexpr const char* begin_text =
    "begin; set local statement_timeout = '10min'; set local lock_timeout = '10min'";
// A text takes no lock that lasts, but a trigger or a view that is replaced waits for its users.
constexpr const char* begin_texts = "set local lock_timeout = '5s'";

asio::awaitable<bool> exist(pg::Connection& connection, const pg::Query& query) {
    const auto rows = co_await connection.run(query, {}, limit);
    co_return rows.boolean(0, 0);
}

// Created only when missing: a role that may not create schemas can still migrate a database that
// was prepared for it.
asio::awaitable<void> ensure_bookkeeping(pg::Connection& connection) {
    if (!co_await exist(connection, queries::migrations_exist)) {
        co_await connection.script(queries::create_schema.text, limit);
        co_await connection.script(queries::create_migration_table.text, limit);
    }
    co_await connection.run(queries::lock_migration_table, {}, limit);
    if (!co_await exist(connection, queries::texts_exist)) {
        co_await connection.script(queries::create_text_table.text, limit);
    }
}

// Whether two processes made the bookkeeping at once, and this one came second. There is no table
// to lock before, and any session may take an advisory lock, and keep it.
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

// The migrations of the numbering before the baseline began with another name.
bool is_old(const pg::Rows& applied) {
    return applied.size() > 0 && applied.text(0, 1) != migrations[0].name;
}

bool is_at_baseline(const pg::Rows& applied) {
    return applied.size() == baseline.number &&
           applied.text(applied.size() - 1, 1) == baseline.name;
}

std::string numbered(int number, std::string_view name) {
    return fmt::format("{:04}_{}", number, name);
}

std::string last_of(const pg::Rows& applied) {
    const int last = applied.size() - 1;
    return numbered(applied.int4(last, 0), applied.text(last, 1));
}

asio::awaitable<void> record(pg::Connection& connection, const Migration& migration) {
    co_await connection.run(
        queries::record_migration, params_of(migration.number, migration.name), limit
    );
}

// A database that has all of the migrations before the baseline has what the baseline makes.
asio::awaitable<void> take_over(pg::Connection& connection, const pg::Rows& applied) {
    if (!is_at_baseline(applied)) {
        throw Failure(
            {Errc::conflict,
             fmt::format(
                 "the database is at migration {}; this pawl takes over databases at {}: bring it "
                 "there with a pawl built from the git tag before-baseline, then run this one",
                 last_of(applied),
                 numbered(baseline.number, baseline.name)
             )}
        );
    }
    co_await connection.run(queries::take_over_migrations, params_of(baseline.number), limit);
    for (int file = 0; file < baseline_files; ++file) co_await record(connection, migrations[file]);
    log::info("took over the database", {log::field("migration", last_of(applied))});
}

asio::awaitable<std::string> newer_version(pg::Connection& connection) {
    const auto rows = co_await connection.run(queries::newer_texts, params_of(sql_version), limit);
    co_return rows.text(0, 0);
}

[[noreturn]] void refuse_newer(std::string newest) {
    throw Failure(
        {Errc::conflict,
         "the database was migrated by a newer pawl; upgrade this one",
         {{"newest", std::move(newest)}}}
    );
}

asio::awaitable<std::map<std::string, std::string>> applied_hashes(pg::Connection& connection) {
    std::map<std::string, std::string> hashes;
    const auto rows = co_await connection.run(queries::applied_texts, {}, limit);
    for (int row = 0; row < rows.size(); ++row) hashes[rows.text(row, 0)] = rows.text(row, 1);
    co_return hashes;
}

asio::awaitable<void> apply_text(pg::Connection& connection, const SqlText& text) {
    std::exception_ptr failed;
    try {
        co_await connection.script(text.sql, limit);
    } catch (...) {
        failed = std::current_exception();
    }
    if (failed) {
        log::error("could not be applied", {log::field("file", text.path)});
        std::rethrow_exception(failed);
    }
    co_await connection.run(
        queries::record_text, params_of(text.path, text.hash, sql_version), limit
    );
    log::debug("applied", {log::field("file", text.path)});
}

pg::Params paths_and_makes() {
    pg::Array paths(pg::Type::text);
    pg::Array makes(pg::Type::text);
    for (const SqlText& text : sql_texts) {
        paths.add(std::string_view(text.path));
        makes.add(std::string_view(text.makes));
    }
    return params_of(std::move(paths), std::move(makes));
}

// Paths of texts whose functions and views were changed in the database since they were applied.
asio::awaitable<std::set<std::string>> edited_paths(pg::Connection& connection) {
    std::set<std::string> paths;
    if (!co_await exist(connection, queries::can_see_edits)) co_return paths;
    const auto rows = co_await connection.run(queries::edited_texts, paths_and_makes(), limit);
    for (int row = 0; row < rows.size(); ++row) paths.insert(rows.text(row, 0));
    co_return paths;
}

asio::awaitable<int> apply_texts(pg::Connection& connection) {
    if (auto newer = co_await newer_version(connection); !newer.empty()) refuse_newer(newer);
    const auto hashes = co_await applied_hashes(connection);
    const auto edited = co_await edited_paths(connection);
    co_await connection.script(begin_texts, limit);
    pg::Array paths(pg::Type::text);
    int applied = 0;
    for (const SqlText& text : sql_texts) {
        paths.add(std::string_view(text.path));
        const auto known = hashes.find(text.path);
        const bool was_edited = edited.contains(text.path);
        if (known != hashes.end() && known->second == text.hash && !was_edited) continue;
        if (was_edited) log::warn("was changed in the database", {log::field("file", text.path)});
        co_await apply_text(connection, text);
        ++applied;
    }
    co_await connection.run(queries::forget_texts, params_of(std::move(paths)), limit);
    if (applied > 0) log::info("applied functions and views", {log::field("files", applied)});
    co_return applied;
}

// Every table belongs to a tenant or to the engine, also those that the last files made.
asio::awaitable<void> secure(pg::Connection& connection) {
    const auto rows = co_await connection.run(queries::secure_schema, {}, limit);
    for (int row = 0; row < rows.size(); ++row) {
        log::warn("row-level security is not complete", {log::field("missing", rows.text(row, 0))});
    }
}

// To go on from there would leave out what the others make.
void refuse_other_files(const pg::Rows& applied) {
    for (int row = 0; row < applied.size(); ++row) {
        const std::string here = numbered(migrations[row].number, migrations[row].name);
        const std::string there = numbered(applied.int4(row, 0), applied.text(row, 1));
        if (here == there) continue;
        throw Failure(
            {Errc::conflict,
             fmt::format(
                 "pawl.migration has {} where this pawl has {}: the table was edited, or a pawl "
                 "with other migrations made this database; restore the row, or use that pawl",
                 there,
                 here
             )}
        );
    }
}

// Applied files always are a prefix of the list, so their count says what comes next.
asio::awaitable<std::size_t> applied_count(pg::Connection& connection, MigrateResult& applied) {
    auto rows = co_await connection.run(queries::applied_migrations, {}, limit);
    if (is_old(rows)) {
        co_await take_over(connection, rows);
        applied.taken_over = true;
        co_return baseline_files;
    }
    const auto count = static_cast<std::size_t>(rows.size());
    if (count > std::size(migrations)) refuse_newer(rows.text(rows.size() - 1, 1));
    refuse_other_files(rows);
    co_return count;
}

// In an open transaction: applies one numbered file. Without one left: the texts. False then.
asio::awaitable<bool> apply_next(pg::Connection& connection, MigrateResult& applied) {
    co_await ensure_bookkeeping(connection);
    if (co_await exist(connection, queries::owner_changed)) co_await secure(connection);
    const auto done = co_await applied_count(connection, applied);
    if (done == std::size(migrations)) {
        applied.texts = co_await apply_texts(connection);
        co_await secure(connection);
        // Securing changes functions, too: what comes after it is an edit.
        if (applied.texts > 0) {
            co_await connection.run(queries::note_made, paths_and_makes(), limit);
        }
        co_return false;
    }
    const Migration& next = migrations[done];
    co_await record(connection, next);
    co_await connection.script(next.sql, limit);
    ++applied.files;
    // Hundreds of lines tell less than how many there were, which the caller says.
    log::debug("migrated", {log::field("number", next.number), log::field("name", next.name)});
    co_return true;
}

}  // namespace

int SchemaStatus::pending_files() const {
    return static_cast<int>(std::count_if(files.begin(), files.end(), [](const auto& file) {
        return !file.applied_at;
    }));
}

int SchemaStatus::pending_texts() const {
    if (!newer.empty()) return 0;
    return static_cast<int>(std::count_if(texts.begin(), texts.end(), [](const auto& text) {
        return text.differs || text.edited;
    }));
}

asio::awaitable<MigrateResult> migrate_up(
    pg::Connection& connection, std::function<void(int applied)> on_applied
) {
    for (MigrateResult applied;;) {
        const bool fresh = !co_await exist(connection, queries::migrations_exist);
        co_await connection.script(begin_text, limit);
        std::exception_ptr failed;
        MigrateResult with_next = applied;
        bool more = false;
        try {
            more = co_await apply_next(connection, with_next);
        } catch (...) {
            failed = std::current_exception();
        }
        if (failed) {
            // A connection that is gone has rolled back by itself.
            if (connection.usable()) co_await connection.script("rollback", limit);
            const bool retry = fresh && came_second(failed) &&
                               co_await exist(connection, queries::migrations_exist);
            if (retry) continue;
            std::rethrow_exception(failed);
        }
        co_await connection.script("commit", limit);
        applied = with_next;
        if (on_applied) on_applied(applied.files + applied.texts);
        if (!more) co_return applied;
    }
}

namespace {

asio::awaitable<void> look_at_files(pg::Connection& connection, SchemaStatus& status) {
    const auto rows = co_await connection.run(queries::applied_migrations, {}, limit);
    if (is_old(rows)) {
        status.old = last_of(rows);
        co_return;
    }
    auto& all = status.files;
    for (int row = 0; row < rows.size(); ++row) {
        const int number = rows.int4(row, 0);
        const std::string name = rows.text(row, 1);
        const auto known = std::find_if(all.begin(), all.end(), [&](const auto& file) {
            return file.number == number && file.name == name;
        });
        // One that only another program knows is worth showing too.
        auto& file =
            known != all.end() ? *known : all.emplace_back(MigrationStatus{number, name, {}});
        file.applied_at = rows.instant(row, 2);
    }
}

asio::awaitable<void> look_at_texts(pg::Connection& connection, SchemaStatus& status) {
    status.newer = co_await newer_version(connection);
    const auto rows = co_await connection.run(queries::applied_texts, {}, limit);
    std::map<std::string, int> place;
    for (int row = 0; row < rows.size(); ++row) place[rows.text(row, 0)] = row;
    for (std::size_t i = 0; i < std::size(sql_texts); ++i) {
        const auto known = place.find(sql_texts[i].path);
        if (known == place.end()) continue;
        status.texts[i].applied_at = rows.instant(known->second, 2);
        status.texts[i].differs = rows.text(known->second, 1) != sql_texts[i].hash;
    }
}

}  // namespace

asio::awaitable<SchemaStatus> schema_status(pg::Connection& connection) {
    SchemaStatus status;
    for (const Migration& file : migrations) {
        status.files.push_back({file.number, file.name, std::nullopt});
    }
    for (const SqlText& text : sql_texts) status.texts.push_back({text.path, std::nullopt, true});
    if (!co_await exist(connection, queries::migrations_exist)) co_return status;
    co_await look_at_files(connection, status);
    if (!co_await exist(connection, queries::texts_exist)) co_return status;
    co_await look_at_texts(connection, status);
    co_return status;
}

asio::awaitable<void> find_edits(pg::Connection& connection, SchemaStatus& status) {
    const auto edited = co_await edited_paths(connection);
    for (TextStatus& text : status.texts) text.edited = edited.contains(text.path);
}

}  // namespace pawl::store
