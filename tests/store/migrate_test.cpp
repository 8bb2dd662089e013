#include "store/migrate.hpp"

#include "pg/error.hpp"
#include "store/migrations.gen.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

namespace pawl::test {
namespace {

const int all_of_them = static_cast<int>(std::size(store::migrations));

pg::ConnectOptions options(const std::string& url, bool prepare) {
    pg::ConnectOptions options;
    options.conninfo = url;
    options.prepare = prepare;
    return options;
}

asio::awaitable<int> connect_and_migrate(pg::ConnectOptions options) {
    auto connection = co_await pg::Connection::connect(options);
    co_return co_await store::migrate_up(*connection);
}

std::vector<store::MigrationStatus> status(Session& session) {
    return session.loop().run(store::migration_status(session.connection()));
}

class Migrate : public ::testing::Test {
protected:
    TestDatabase database_{TestDatabase::Content::empty};
    Session& session_ = database_.session();
};

TEST_F(Migrate, TenAtOnceOnAnEmptyDatabase) {
    Loop loop;
    std::vector<asio::awaitable<int>> calls;
    calls.reserve(10);
    for (int i = 0; i < 10; ++i) {
        calls.push_back(connect_and_migrate(options(database_.url(), i % 2 == 0)));
    }
    const auto applied = loop.run_all(std::move(calls));
    EXPECT_EQ(std::accumulate(applied.begin(), applied.end(), 0), all_of_them);
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.migration"), std::to_string(all_of_them)
    );
}

// Every role of the database may take those.
TEST_F(Migrate, NoAdvisoryLockIsWaitedFor) {
    Session other(database_.url());
    other.script("select pg_advisory_lock(7236871914)");
    EXPECT_EQ(session_.loop().run(store::migrate_up(session_.connection())), all_of_them);
    EXPECT_EQ(store::migration_sql().find("pg_advisory_xact_lock(7236871914)"), std::string::npos);
}

TEST_F(Migrate, StatusBeforeAndAfter) {
    auto before = status(session_);
    ASSERT_EQ(static_cast<int>(before.size()), all_of_them);
    EXPECT_EQ(before[0].number, 1);
    EXPECT_EQ(before[0].name, "core");
    EXPECT_FALSE(before[0].applied_at);
    // Looking creates nothing.
    EXPECT_EQ(session_.value("select (to_regnamespace('pawl') is null)::text"), "true");

    EXPECT_EQ(session_.loop().run(store::migrate_up(session_.connection())), all_of_them);
    for (const auto& one : status(session_)) EXPECT_TRUE(one.applied_at) << one.name;
    EXPECT_EQ(session_.loop().run(store::migrate_up(session_.connection())), 0);
}

TEST_F(Migrate, AFailedMigrationLeavesNothingAndTheConnectionUsable) {
    // Something is in the way of the first migration.
    session_.script("create schema pawl; create table pawl.tenant (x int)");
    EXPECT_THROW(session_.loop().run(store::migrate_up(session_.connection())), pg::PgError);
    EXPECT_TRUE(session_.connection().usable());
    EXPECT_EQ(session_.value("select (to_regclass('pawl.migration') is null)::text"), "true");
    session_.script("drop table pawl.tenant");
    EXPECT_EQ(session_.loop().run(store::migrate_up(session_.connection())), all_of_them);
}

TEST_F(Migrate, ADatabaseFromTheFutureIsRefused) {
    session_.loop().run(store::migrate_up(session_.connection()));
    session_.script("insert into pawl.migration (number, name) values (9999, 'future')");
    try {
        session_.loop().run(store::migrate_up(session_.connection()));
        FAIL() << "migrated a newer database";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.error().code, Errc::conflict);
        EXPECT_NE(to_string(failure.error()).find("future"), std::string::npos);
    }
    const auto seen = status(session_);
    EXPECT_EQ(seen.back().name, "future");
    EXPECT_TRUE(seen.back().applied_at);
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
        session_.loop().run(store::migrate_up(session_.connection()));
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
    EXPECT_GT(session_.loop().run(store::migrate_up(session_.connection())), 0);
    for (const auto& one : status(session_)) EXPECT_TRUE(one.applied_at) << one.name;
}

TEST_F(Migrate, TheScriptForPeopleDoesTheSameAndMayRunAgain) {
    const std::string path = testing::TempDir() + database_.name() + ".sql";
    std::ofstream(path) << store::migration_sql();
    const std::string run = "psql -X -q -o /dev/null -d '" + database_.url() + "' -f " + path;
    output_of(run);
    EXPECT_EQ(session_.loop().run(store::migrate_up(session_.connection())), 0);
    const auto dump = "pg_dump --schema-only '" + database_.url() + "' | grep -v restrict";
    const auto before = output_of(dump);
    output_of(run);
    EXPECT_EQ(output_of(dump), before);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace pawl::test
