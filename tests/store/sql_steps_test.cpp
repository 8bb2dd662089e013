#include "store/sql_fixture.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

TEST_F(SqlStepsPg, GivesRowsAndHowMany) {
    EXPECT_EQ(run("insert into points values (1, 10), (2, 20)"), R"({"rows":[],"count":2})");
    EXPECT_EQ(
        run("select id, n, n > 15 as many from points order by id"),
        R"({"rows":[{"id":1,"n":10,"many":false},{"id":2,"n":20,"many":true}],"count":2})"
    );
    EXPECT_EQ(
        run("update points set n = n + $2 where id = $1 returning n", "[1, 5]"),
        R"({"rows":[{"n":15}],"count":1})"
    );
    EXPECT_EQ(run("select 1 where false"), R"({"rows":[],"count":0})");
    EXPECT_EQ(run("delete from points"), R"({"rows":[],"count":2})");
}

TEST_F(SqlStepsPg, ParamsAreValuesOfWhateverTypeIsWanted) {
    EXPECT_EQ(
        run("select $1::int + 1 as a, $2 as b, $3::jsonb -> 'x' as c, $4::boolean as d, "
            "$5::numeric as e, $6::text is null as f, $7::date as g",
            R"([41, "o'clock; drop table points", {"x": [1]}, true, 2.5, null, "2024-02-29"])"),
        R"({"rows":[{"a":42,"b":"o'clock; drop table points","c":[1],"d":true,"e":2.5E0,"f":true,)"
        R"("g":"2024-02-29"}],"count":1})"
    );
    EXPECT_EQ(run("insert into points values ($1, $2)", "[3, 3.0]"), R"({"rows":[],"count":1})");
    EXPECT_EQ(run("select $1", "[]"), "permanent sql.08P01");
    EXPECT_EQ(run("select 1", "[1]"), "permanent sql.08P01");
    EXPECT_EQ(run("select $1::int", R"(["x"])"), "permanent sql.22P02");
    EXPECT_EQ(run("select $1::text", R"(["a\u0000b"])"), "permanent invalid_config");
    EXPECT_EQ(run("select 1", R"({"a": 1})"), "permanent invalid_config");
}

TEST_F(SqlStepsPg, HappensOnceUnderAKey) {
    const std::string add = "insert into points values (1, 1) returning n";
    const std::string given = R"({"rows":[{"n":1}],"count":1})";
    EXPECT_EQ(run(add, "[]", "k"), given);
    EXPECT_EQ(run(add, "[]", "k"), given) << "the first result, not a unique violation";
    EXPECT_EQ(run(add, "[]", "other"), "permanent sql.23505");
    EXPECT_EQ(value("select count(*)::text from points"), "1");
    EXPECT_EQ(value("select count(*)::text from pawl.sql_effect"), "1");
}

TEST_F(SqlStepsPg, WhatFailsHasNotHappenedAndMayBeTriedAgain) {
    EXPECT_EQ(run("select 1 / $1::int", "[0]", "k"), "permanent sql.22012");
    EXPECT_EQ(value("select count(*)::text from pawl.sql_effect"), "0");
    EXPECT_EQ(run("select 1 / $1::int as n", "[1]", "k"), R"({"rows":[{"n":1}],"count":1})");
}

TEST_F(SqlStepsPg, TwoWorkersWithOneStepDoItOnce) {
    std::vector<asio::awaitable<steps::StepOutcome>> calls;
    const std::string slow =
        "with s as (select pg_sleep(0.1)) insert into points select 1, 1 from s returning n";
    for (int i = 0; i < 4; ++i)
        calls.push_back(steps::run_sql(steps_, 0, request(slow, "[]", "k")));
    for (const auto& outcome : db_.loop().run_all(std::move(calls))) {
        EXPECT_EQ(text(outcome), R"({"rows":[{"n":1}],"count":1})");
    }
    EXPECT_EQ(value("select count(*)::text from points"), "1");
}

TEST_F(SqlStepsPg, ASlowStatementIsStopped) {
    auto slow = request("select pg_sleep(20)");
    slow.timeout = 100ms;
    const auto begun = Steady::now();
    EXPECT_EQ(run(std::move(slow)), "retryable timeout");
    EXPECT_LT(Steady::now() - begun, 4s);
    EXPECT_EQ(run("select 1 as n"), R"({"rows":[{"n":1}],"count":1})");
}

TEST_F(SqlStepsPg, OneThatWaitsForALockIsStoppedToo) {
    Session other(db_.database().url());
    other.script("begin; lock table points");
    auto waiting = request("select * from points");
    waiting.timeout = 100ms;
    const std::string outcome = run(std::move(waiting));
    EXPECT_TRUE(outcome == "retryable timeout" || outcome == "retryable sql.55P03") << outcome;
}

TEST_F(SqlStepsPg, TooMuchIsRefusedAndUndone) {
    EXPECT_EQ(
        run("insert into points select i, i from generate_series(1, 1001) i returning id"),
        "permanent too_large"
    );
    EXPECT_EQ(run("select repeat('x', 1100000)"), "permanent too_large");
    EXPECT_EQ(
        run("select repeat('x', 10000) from generate_series(1, 9999) a, generate_series(1, 9999) b"
        ),
        "permanent too_large"
    );
    // The server notices when it finds no client to send to.
    EXPECT_EQ(value("select count(*)::text from points"), "0");
    EXPECT_EQ(run("select i from generate_series(1, 1000) i").size(), 9916U);
}

TEST_F(SqlStepsPg, TheTransactionIsNotTheStatementsOwn) {
    for (const char* word :
         {"commit",
          "rollback",
          "begin",
          "end",
          "abort",
          "savepoint a",
          "set role none",
          "/* x */ ; commit",
          "prepare transaction 'a'",
          "copy points to stdout",
          "discard all",
          "(COMMIT)",
          "reset all",
          "listen x"}) {
        EXPECT_EQ(run(word), "permanent invalid_config") << word;
    }
    EXPECT_EQ(run("select 1; select 2"), "permanent sql.42601");
    EXPECT_EQ(run("do $$ begin commit; end $$"), "permanent sql.2D000");
    script("create procedure ends() language plpgsql as $$ begin commit; end $$");
    EXPECT_EQ(run("call ends()"), "permanent sql.2D000");
    EXPECT_EQ(run(""), "permanent invalid_config");
    EXPECT_EQ(run(";"), R"({"rows":[],"count":0})");
    EXPECT_EQ(run(std::string(100'001, ' ')), "permanent invalid_config");
}

TEST_F(SqlStepsPg, NothingIsLeftForTheNextOneInTheSession) {
    pg::PoolOptions narrow = sql_pool(db_.database().url());
    narrow.connections_max = 1;
    pg::Pool pool(db_.loop().context().get_executor(), narrow);
    store::SqlSteps one(pool, "", true);
    const auto run_one = [&](const std::string& statement) {
        return text(db_.loop().run(steps::run_sql(one, 0, request(statement))));
    };
    run_one("select set_config('app.user', 'ann', false)");
    run_one("select pg_advisory_lock(7)");
    run_one("create temp table mine (a int)");
    EXPECT_EQ(
        run_one("select coalesce(current_setting('app.user', true), '') as u, "
                "(select count(*) from pg_locks where locktype = 'advisory' and database = "
                "(select oid from pg_database where datname = current_database())) as locks, "
                "to_regclass('mine') as t"),
        R"({"rows":[{"u":"","locks":0,"t":null}],"count":1})"
    );
    EXPECT_EQ(pool.open(), 1U);
}

TEST_F(SqlStepsPg, ARoleLimitsWhatStatementsMayDo) {
    script("create role pawl_test_sql nologin");
    script("grant select on points to pawl_test_sql; insert into points values (1, 1)");
    {
        store::SqlSteps as_role(pool_, "pawl_test_sql", true);
        const auto run_as = [&](const std::string& statement) {
            return text(db_.loop().run(steps::run_sql(as_role, 0, request(statement))));
        };
        EXPECT_EQ(
            run_as("select n, current_user from points"),
            R"({"rows":[{"n":1,"current_user":"pawl_test_sql"}],"count":1})"
        );
        EXPECT_EQ(run_as("insert into points values (2, 2)"), "permanent sql.42501");
        EXPECT_EQ(run_as("select * from pawl.api_key"), "permanent sql.42501");
        store::SqlSteps unknown(pool_, "no such role", true);
        EXPECT_EQ(
            text(db_.loop().run(steps::run_sql(unknown, 0, request("select 1")))),
            "retryable unavailable"
        );
    }
    script("drop owned by pawl_test_sql; drop role pawl_test_sql");
}

TEST_F(SqlStepsPg, AnotherLoginNeedsNoMoreThanItIsGiven) {
    const Login login(db_.database().session(), "pawl_test_login");
    script("grant select, insert on points to pawl_test_login");
    {
        pg::PoolOptions options = sql_pool(db_.database().url() + "&user=pawl_test_login");
        pg::Pool pool(db_.loop().context().get_executor(), options);
        store::SqlSteps as_login(pool, "");
        const auto run_as = [&](const std::string& statement, const std::string& key) {
            auto asked = request(statement, "[]", key);
            return text(db_.loop().run(steps::run_sql(as_login, 0, std::move(asked))));
        };
        const std::string given = R"({"rows":[],"count":1})";
        EXPECT_EQ(run_as("insert into points values (1, 1)", "k"), given);
        EXPECT_EQ(run_as("insert into points values (1, 1)", "k"), given);
        EXPECT_EQ(run_as("delete from points", "d"), "permanent sql.42501");
        EXPECT_EQ(run_as("select * from pawl.sql_effect", "e"), "permanent sql.42501");
        EXPECT_EQ(
            run_as("select set_config('role', 'postgres', true)", "r"), "permanent sql.42501"
        );
    }
}

TEST_F(SqlStepsPg, ALostConnectionIsTriedAgain) {
    EXPECT_TRUE(run("select pg_terminate_backend(pg_backend_pid())").starts_with("retryable sql."));
    EXPECT_EQ(run("select 1 as n"), R"({"rows":[{"n":1}],"count":1})");
}

TEST_F(SqlStepsPg, ResultsStayWhileTheirRunIsOpen) {
    run("select 1", "[]", "live");
    const RunId closed = db_.run(worker_);
    auto other = request("select 2", "[]", "closed");
    other.run_id = to_string(closed);
    run(other);
    db_.commit(closing(worker_, closed));
    const auto purge = [&](int batch) { return db_.loop().run(steps_.purge(0, batch)); };
    EXPECT_EQ(purge(10), 0) << "too young";
    script("update pawl.sql_effect set at = at - interval '25 hours'");
    EXPECT_EQ(purge(1), 1);
    EXPECT_EQ(purge(10), 1);
    EXPECT_EQ(purge(10), 0) << "the open one is looked at again tomorrow";
    EXPECT_EQ(value("select string_agg(key, ',') from pawl.sql_effect"), "live");
}

}  // namespace
}  // namespace pawl::test
