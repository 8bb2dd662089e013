#include "store/pg/migrate.hpp"

#include "pg/pg_error.hpp"
#include "store/migrations.gen.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace pawl::test {
namespace {

const int all_files = static_cast<int>(std::size(store::migrations));
const int all_texts = static_cast<int>(std::size(store::sql_texts));

pg::ConnectOptions options(const std::string& url, bool prepare) {
    pg::ConnectOptions options;
    options.conninfo = url;
    options.prepare = prepare;
    return options;
}

asio::awaitable<store::MigrateResult> connect_and_migrate(pg::ConnectOptions options) {
    auto connection = co_await pg::Connection::connect(options);
    co_return co_await store::migrate_up(*connection);
}

store::SchemaStatus status(Session& session) {
    return session.loop().run(store::schema_status(session.connection()));
}

class Migrate : public ::testing::Test {
protected:
    using Content = TestDatabase::Content;
    explicit Migrate(Content content = Content::empty) : database_(content) {}

    store::MigrateResult up() {
        return session_.loop().run(store::migrate_up(session_.connection()));
    }

    store::MigrateResult ten_at_once() {
        Loop loop;
        std::vector<asio::awaitable<store::MigrateResult>> calls;
        calls.reserve(10);
        for (int i = 0; i < 10; ++i) {
            calls.push_back(connect_and_migrate(options(database_.url(), i % 2 == 0)));
        }
        store::MigrateResult sum;
        for (const auto& one : loop.run_all(std::move(calls))) {
            sum.files += one.files;
            sum.texts += one.texts;
        }
        return sum;
    }

    Error refused() {
        try {
            up();
        } catch (const Failure& failure) {
            return failure.error();
        }
        ADD_FAILURE() << "migrated";
        return {};
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

// Begins with a database that was migrated.
class Migrated : public Migrate {
protected:
    Migrated() : Migrate(Content::migrated) {}
};

TEST_F(Migrate, TenAtOnceOnAnEmptyDatabase) {
    const auto applied = ten_at_once();
    EXPECT_EQ(applied.files, all_files);
    EXPECT_EQ(applied.texts, all_texts);
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.migration"), std::to_string(all_files)
    );
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.sql_text"), std::to_string(all_texts)
    );
}

// Every role of the database may take those.
TEST_F(Migrate, NoAdvisoryLockIsWaitedFor) {
    Session other(database_.url());
    other.script("select pg_advisory_lock(7236871914)");
    EXPECT_EQ(up().files, all_files);
    EXPECT_EQ(store::migration_sql().find("pg_advisory_xact_lock(7236871914)"), std::string::npos);
}

TEST_F(Migrate, StatusBeforeAndAfter) {
    const auto before = status(session_);
    ASSERT_EQ(static_cast<int>(before.files.size()), all_files);
    EXPECT_EQ(before.files[0].number, 1);
    EXPECT_EQ(before.files[0].name, "tenants");
    EXPECT_FALSE(before.files[0].applied_at);
    EXPECT_EQ(before.pending(), all_files + all_texts);
    // Looking creates nothing.
    EXPECT_EQ(session_.value("select (to_regnamespace('pawl') is null)::text"), "true");

    const auto applied = up();
    EXPECT_EQ(applied.files, all_files);
    EXPECT_EQ(applied.texts, all_texts);
    EXPECT_FALSE(applied.taken_over);
    const auto after = status(session_);
    for (const auto& one : after.files) EXPECT_TRUE(one.applied_at) << one.name;
    for (const auto& one : after.texts) {
        EXPECT_TRUE(one.applied_at && !one.differs) << one.path;
    }
    EXPECT_EQ(after.pending(), 0);
    EXPECT_TRUE(up().nothing());
}

TEST_F(Migrate, AFailedFileLeavesNothingAndTheConnectionUsable) {
    // Something is in the way of the first file.
    session_.script("create schema pawl; create table pawl.tenant (x int)");
    EXPECT_THROW(up(), pg::PgError);
    EXPECT_TRUE(session_.connection().usable());
    EXPECT_EQ(session_.value("select (to_regclass('pawl.migration') is null)::text"), "true");
    session_.script("drop table pawl.tenant");
    EXPECT_EQ(up().files, all_files);
}

// --- Texts --------------------------------------------------------------------------------------

TEST_F(Migrated, AChangedTextIsAppliedAgainAndNoOther) {
    session_.script(
        "create or replace function pawl.is_uuid(p_text text) returns boolean "
        "language sql immutable parallel safe return false; "
        "update pawl.sql_text set hash = 'of another release', applied_at = '2020-01-01' "
        "where path = 'functions/base/ids'; "
        "update pawl.sql_text set applied_at = '2020-01-01' where path = 'functions/base/names'; "
        "insert into pawl.sql_text (path, hash, version) values ('functions/gone', 'x', '0.0.1')"
    );
    EXPECT_EQ(status(session_).pending_texts(), 1);
    const auto applied = ten_at_once();
    EXPECT_EQ(applied.files, 0);
    EXPECT_EQ(applied.texts, 1);
    EXPECT_EQ(session_.value("select pawl.is_uuid(gen_random_uuid()::text)::text"), "true");
    const std::string dated = "select string_agg(path, ' ') from pawl.sql_text where applied_at";
    EXPECT_EQ(session_.value(dated + " < '2021-01-01'"), "functions/base/names");
    // What the program does not have any more is not kept in the list.
    EXPECT_EQ(session_.value("select count(*)::text from pawl.sql_text where path ~ 'gone'"), "0");
}

TEST_F(Migrated, WhatWasChangedInTheDatabaseIsSeenAndAppliedAgain) {
    const auto edited = [this] {
        auto found = status(session_);
        session_.loop().run(store::find_edits(session_.connection(), found));
        std::string paths;
        for (const auto& text : found.texts) {
            if (text.edited) paths += text.path + " ";
        }
        return paths + std::to_string(found.pending_texts());
    };
    EXPECT_EQ(edited(), "0");
    session_.script(
        "create or replace function pawl.is_uuid(p_text text) returns boolean "
        "language sql immutable parallel safe return false; "
        "drop function pawl.emit(text, text, jsonb, text, text); "
        "alter view pawl.funnel rename column workflow to process; "
        "set search_path = pawl"
    );
    // A process may start beside it.
    EXPECT_EQ(status(session_).pending(), 0);
    EXPECT_EQ(edited(), "functions/base/ids functions/sql_api/messages views/funnel 3");
    session_.script("reset search_path; alter view pawl.funnel rename column process to workflow");
    EXPECT_EQ(edited(), "functions/base/ids functions/sql_api/messages 2");
    EXPECT_EQ(up().texts, 2);
    EXPECT_EQ(session_.value("select pawl.is_uuid(gen_random_uuid()::text)::text"), "true");
    EXPECT_EQ(edited(), "0");
    EXPECT_TRUE(up().nothing());
}

TEST_F(Migrated, WhatWasGrantedOnAFunctionStays) {
    session_.script(
        "do $$ begin create role pawl_test_app login; exception when others then null; end $$; "
        "grant execute on function pawl.status(uuid) to pawl_test_app; "
        "update pawl.sql_text set hash = 'x'"
    );
    EXPECT_EQ(up().texts, all_texts);
    const std::string may =
        "select has_function_privilege('pawl_test_app', 'pawl.status(uuid)', 'execute')::text";
    EXPECT_EQ(session_.value(may), "true");
    session_.script("revoke all on function pawl.status(uuid) from pawl_test_app");
}

TEST_F(Migrated, ATextThatFailsTakesAllBack) {
    // base/names comes after base/ids; its function is of another type here.
    session_.script(
        "drop function pawl.task_state_name(smallint) cascade; "
        "create function pawl.task_state_name(p_state smallint) returns int "
        "language sql immutable return 1; "
        "update pawl.sql_text set hash = 'x' "
        "where path in ('functions/base/ids', 'functions/base/names')"
    );
    EXPECT_THROW(up(), pg::PgError);
    EXPECT_TRUE(session_.connection().usable());
    EXPECT_EQ(session_.value("select count(*)::text from pawl.sql_text where hash = 'x'"), "2");
}

// --- Other versions -----------------------------------------------------------------------------

TEST_F(Migrated, ADatabaseFromTheFutureIsRefused) {
    session_.script("insert into pawl.migration (number, name) values (9999, 'future')");
    const auto error = refused();
    EXPECT_EQ(error.code, Errc::conflict);
    EXPECT_NE(to_string(error).find("future"), std::string::npos);
    const auto seen = status(session_);
    EXPECT_EQ(seen.files.back().name, "future");
    EXPECT_TRUE(seen.files.back().applied_at);
}

TEST_F(Migrated, ADatabaseWithOtherMigrationsIsRefused) {
    session_.script("update pawl.migration set name = 'elsewhere' where number = 3");
    EXPECT_NE(
        to_string(refused()).find("0003_elsewhere where this pawl has 0003_runs"), std::string::npos
    );
    auto seen = status(session_);
    EXPECT_EQ(seen.pending_files(), 1);
    EXPECT_EQ(seen.files.back().name, "elsewhere");
    session_.script("delete from pawl.migration where number = 3");
    EXPECT_NE(
        to_string(refused()).find("0004_events where this pawl has 0003_runs"), std::string::npos
    );
    EXPECT_EQ(status(session_).pending_files(), 1);
    session_.script("insert into pawl.migration (number, name) values (3, 'runs')");
    EXPECT_EQ(up().files, 0);
}

TEST_F(Migrated, TextsOfANewerVersionStay) {
    session_.script("update pawl.sql_text set hash = 'x', version = '0.10.0' where path ~ 'ids'");
    EXPECT_NE(to_string(refused()).find("0.10.0"), std::string::npos);
    // The program works on them: a release before is started again while the next one is rolled
    // out.
    EXPECT_EQ(status(session_).pending(), 0);
    EXPECT_EQ(status(session_).newer, "0.10.0");
    session_.script("update pawl.sql_text set version = '0.0.9' where path ~ 'ids'");
    EXPECT_EQ(up().texts, 1);
}

TEST_F(Migrate, ADatabaseBeforeTheBaselineIsToldWhatToDo) {
    session_.script(
        "create schema pawl; create table pawl.migration (number int not null, name text not null, "
        "applied_at timestamptz not null default now(), constraint migration_pk primary key "
        "(number)); insert into pawl.migration (number, name) values (1, 'core'), (2, 'engine')"
    );
    EXPECT_EQ(status(session_).old, "0002_engine");
    const auto error = to_string(refused());
    EXPECT_NE(error.find("at migration 0002_engine"), std::string::npos) << error;
    EXPECT_NE(error.find("git tag before-baseline"), std::string::npos) << error;
    EXPECT_EQ(session_.value("select count(*)::text from pawl.migration"), "2");
}

TEST_F(Migrate, ARoleThatMayNotCreateSchemasCanMigrateAPreparedDatabase) {
    session_.script(
        "do $$ begin create role pawl_test_app login; exception when others then null; end $$"
    );
    session_.script("create schema pawl; grant all on schema pawl to pawl_test_app");
    session_.script(
        "create table pawl.migration (number int not null, name text not null, "
        "applied_at timestamptz not null default now(), constraint migration_pk primary key "
        "(number)); alter table pawl.migration owner to pawl_test_app"
    );
    session_.script("set role pawl_test_app");
    try {
        up();
        FAIL() << "created schemas that it may not create";
    } catch (const pg::PgError& error) {
        EXPECT_EQ(error.detail().sqlstate, "42501");
        EXPECT_NE(
            error.detail().hint.find("create schema comms authorization pawl_test_app;"),
            std::string::npos
        ) << error.detail().hint;
        // What the hint says.
        const std::string told = error.detail().hint.substr(error.detail().hint.find("create"));
        session_.script("reset role; " + told + " set role pawl_test_app");
    }
    EXPECT_GT(up().files, 0);
    EXPECT_EQ(status(session_).pending(), 0);
}

TEST_F(Migrate, TheScriptForPeopleDoesTheSameAndMayRunAgain) {
    const std::string path = testing::TempDir() + database_.name() + ".sql";
    std::ofstream(path) << store::migration_sql();
    const std::string run = "psql -X -q -o /dev/null -d '" + database_.url() + "' -f " + path;
    output_of(run);
    EXPECT_TRUE(up().nothing());
    const auto dump = "pg_dump --schema-only '" + database_.url() + "' | grep -v restrict";
    const auto before = output_of(dump);
    output_of(run);
    EXPECT_EQ(output_of(dump), before);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace pawl::test
