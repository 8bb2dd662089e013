#include "store/sql_fixture.hpp"

#include <unistd.h>

// What a statement can make of the functions that its login may call.
namespace pawl::test {
namespace {

class SqlLimitsPg : public SqlStepsPg {
protected:
    // Statements as the login, with the effect of the step under `key` begun.
    std::string as_login(const std::string& statement, const std::string& key = "") {
        auto asked = request(statement, "[]", key);
        asked.timeout = std::chrono::seconds(25);  // some are about many megabytes
        return text(db_.loop().run(steps::run_sql(my_steps_, 0, std::move(asked))));
    }
    std::string of(const std::string& key) const {
        return fmt::format("(0::smallint, '{}', '{}'", to_string(run_), key);
    }
    // What it gives is nothing that a statement gives back.
    static std::string tried(const std::string& statement) {
        return "do $$ begin perform " + statement + "; end $$";
    }

    // Roles are the cluster's: tests run beside each other.
    const std::string name_ = fmt::format("pawl_test_limits_{}", ::getpid());
    Login login_{db_.database().session(), name_};
    pg::Pool my_pool_{
        db_.loop().context().get_executor(), sql_pool(db_.database().url() + "&user=" + name_)};
    store::SqlSteps my_steps_{my_pool_, ""};
};

TEST_F(SqlLimitsPg, AStatementBeginsNoEffectOfAnotherStep) {
    const std::string worker = ", '" + to_string(worker_) + "', false)";
    EXPECT_EQ(as_login("select pawl.begin_sql_effect" + of("s2") + ")"), "permanent sql.42501");
    EXPECT_EQ(as_login("select pawl.begin_sql_effect" + of("s2") + worker), "permanent sql.PW001");
    const std::string ended = "pawl.end_sql_effect" + of("s1") + R"(, '{"rows": [], "count": 0}'))";
    EXPECT_EQ(
        as_login(
            "do $$ begin begin perform " + ended +
                "; exception when division_by_zero then null; "
                "end; perform pawl.begin_sql_effect" +
                of("s2") + worker + "; end $$",
            "s1"
        ),
        "permanent sql.PW001"
    ) << "nor after its own was touched";
    EXPECT_EQ(value("select count(*)::text from pawl.sql_effect"), "0");
}

TEST_F(SqlLimitsPg, ResultsAreBounded) {
    const auto end = [&](const std::string& result) {
        const std::string key = fmt::format("end-{}", ++keys_);
        return as_login(tried("pawl.end_sql_effect" + of(key) + ", " + result + ")"), key);
    };
    const std::string fine = R"({"rows":[],"count":0})";
    EXPECT_EQ(end(R"('{"rows": [{"i": 1}], "count": 1}')"), fine) << "the worker has the last word";
    EXPECT_EQ(
        end("jsonb_build_object('count', 1, 'rows', "
            "(select jsonb_agg(i) from generate_series(1, 1001) i))"),
        "permanent sql.54000"
    );
    EXPECT_EQ(
        end("jsonb_build_object('count', 1, 'rows', array[repeat('x', 30000000)])"),
        "permanent sql.54000"
    );
    EXPECT_EQ(end(R"('{"rows": [1e400], "count": 1}')"), "permanent sql.22003");
    EXPECT_EQ(
        end("jsonb_build_object('count', 1, 'rows', (repeat('[', 90) || repeat(']', 90))::jsonb)"),
        "permanent sql.22023"
    );
    EXPECT_EQ(end("'[]'"), "permanent sql.22023");
    EXPECT_EQ(end("null"), "permanent sql.22023");
    EXPECT_EQ(end(R"('{"rows": "all", "count": 1}')"), "permanent sql.22023");
}

TEST_F(SqlLimitsPg, WhatAServerGivesIsStillAResult) {
    EXPECT_EQ(
        as_login("select '1.7976931348623157e308'::float8 as d"),
        R"({"rows":[{"d":1.7976931348623157E308}],"count":1})"
    );
    const std::string deep = std::string(63, '[') + std::string(63, ']');
    EXPECT_EQ(
        as_login("select '" + deep + "'::jsonb as d"),
        R"({"rows":[{"d":)" + deep + R"(}],"count":1})"
    );
    // As large as a result can be as JSON: each null has its name.
    script(
        "do $$ begin execute (select 'create table wide as select ' || string_agg('null::int as ' "
        "|| rpad('c' || i, 63, 'x'), ', ') || ' from generate_series(1, 1000)' "
        "from generate_series(100, 349) i); end $$; grant select on wide to public"
    );
    const std::string all = as_login("select * from wide");
    EXPECT_GT(all.size(), 15'000'000u) << all.substr(0, 100);
}

TEST_F(SqlLimitsPg, PagesAreThoseThatAWorkerWrites) {
    const auto add = [&](const std::string& first, const std::string& pages) {
        const std::string key = fmt::format("add-{}", ++keys_);
        const std::string effect = "pawl.add_sql_pages" + of(key) + ", ";
        return as_login(tried(effect + first + ", " + pages + ")"), key);
    };
    const std::string fine = R"({"rows":[],"count":0})";
    const std::string row = R"(array['[1]']::jsonb[])";
    EXPECT_EQ(add("1", row), fine);
    EXPECT_EQ(add("2", row), "permanent sql.PW001");
    EXPECT_EQ(add("0", row), "permanent sql.PW001");
    EXPECT_EQ(add("1", R"(array['{"a": 1}']::jsonb[])"), "permanent sql.22023");
    EXPECT_EQ(add("1", "array[null]::jsonb[]"), "permanent sql.22023");
    EXPECT_EQ(add("1", R"(array['[1e400]']::jsonb[])"), "permanent sql.22003");
    EXPECT_EQ(
        add("1", "array[(select jsonb_agg(i) from generate_series(1, 1001) i)]"),
        "permanent sql.22023"
    );
    EXPECT_EQ(add("1", "array[jsonb_build_array(repeat('x', 20000000))]"), "permanent sql.54000");
    EXPECT_EQ(
        add("1", "array_fill((select jsonb_agg(i) from generate_series(1, 1000) i), array[101])"),
        "permanent sql.54000"
    );
    EXPECT_EQ(
        add("1", "array_fill(jsonb_build_array(repeat('x', 15000000)), array[10])"),
        "permanent sql.54000"
    );
    EXPECT_EQ(value("select count(*)::text from pawl.sql_page"), "1");
}

TEST_F(SqlLimitsPg, APageThatWasPlantedIsNotTaken) {
    const auto read = [&](const std::string& rows) {
        script("delete from pawl.sql_page");
        script(
            "insert into pawl.sql_page (bucket, run_id, key, page, rows) select 0, '" +
            to_string(run_) + "', 'k', 1, " + rows
        );
        auto asked = request("");
        asked.config = {{"page_of", {{"run", to_string(run_)}, {"key", "k"}, {"page", 1}}}};
        return text(db_.loop().run(steps::read_page(my_steps_, 0, std::move(asked))));
    };
    EXPECT_EQ(read("'[1]'::jsonb"), R"({"page":1,"items":[1]})");
    EXPECT_EQ(read("(select jsonb_agg(i) from generate_series(1, 1001) i)"), "permanent sql.54000");
    EXPECT_EQ(read("jsonb_build_array(repeat('x', 20000000))"), "permanent sql.54000");
    EXPECT_EQ(read("'{}'::jsonb"), "permanent sql.54000");
}

}  // namespace
}  // namespace pawl::test
