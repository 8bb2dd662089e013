#include "store/watch_fixture.hpp"

// Values of watched tables that Postgres or the engine cannot keep: the application writes what it
// likes, and its statement never fails because of the watch.
namespace pawl::test {
namespace {

class WatchValues : public Watched {
protected:
    WatchValues() {
        session_.script(
            "create function deep(n int) returns json language sql as "
            "$$ select (repeat('{\"a\":', n) || '1' || repeat('}', n))::json $$;"
            "create table notes (id int, j json, b jsonb, n numeric, js json[]);"
            "select pawl.watch_table('notes', for_tenant => 'acme')"
        );
        workflow("acme", "[{\"event\": \"notes\"}, {\"event\": \"plain\"}]");
    }
    // What the first event of a change says, whichever way it was taken: of a row, of a few, of
    // many.
    void says(const std::string& values, const std::string& member, const std::string& expected) {
        for (const char* rows : {"1", "2", "60"}) {
            session_.script(fmt::format(
                "delete from pawl.inbox; insert into notes select {} from generate_series(1, {})",
                values,
                rows
            ));
            EXPECT_EQ(count("pawl.inbox"), rows) << values;
            EXPECT_EQ(first(member), expected) << values << " in " << rows;
        }
    }
    std::string first(const std::string& member) {
        take();
        return session_.value(
            "select i.data #>> '{" + member + "}' from pawl.inbox i order by i.id limit 1"
        );
    }
};

const std::string too_deep = "{\"pawl.left_out\": \"nested deeper than 64 levels\"}";
const std::string too_large = "{\"pawl.left_out\": \"a number is out of range\"}";

TEST_F(WatchValues, TextThatPostgresCannotKeepIsReplaced) {
    says(R"(1, '{"a": "x\u0000\u0000y", "b": "kept \\u0000"}')", "j,a", "x\uFFFD\uFFFDy");
    says(R"(1, '{"a": "x\u0000y", "b": "kept \\u0000"}')", "j,b", "kept \\u0000");
    says(R"(1, '"\ud800 \uD83D\uDE00 \ude00"')", "j", "\uFFFD \U0001F600 \uFFFD");
    says(R"(1, 'null', null, 1, array['"\u0000"'::json])", "js,0", "\uFFFD");
}

TEST_F(WatchValues, WhatCannotBeKeptIsLeftOutAndTheRestStays) {
    const std::string kept = R"({"pawl.left_out": "Postgres cannot keep it"})";
    says("7, '{\"a\": 1e999999}'", "j", kept);
    says("7, '{\"a\": 1e999999}'", "id", "7");
    says("7, deep(70), deep(63)::jsonb", "j", too_deep);
    says("7, deep(70), deep(3)::jsonb", "b", R"({"a": {"a": {"a": 1}}})");
    says("7, null, deep(70)::jsonb, 1e400", "n", too_large);
    says("7, null, '[1e400]', -1e400", "b", too_large);
}

TEST_F(WatchValues, AlsoWhereRowsAreChangedAndDeleted) {
    for (const char* rows : {"1", "60"}) {
        session_.script(fmt::format(
            "insert into notes select g, '\"\\u0000\"', deep(70)::jsonb, 1e400 from "
            "generate_series(1, {}) g; delete from pawl.change_batch; delete from pawl.inbox;"
            "update notes set j = '\"b\\u0000\"', n = 2; delete from notes",
            rows
        ));
        EXPECT_EQ(
            events(
                "concat_ws(' ', i.data ->> 'j', i.data ->> 'changed', i.data #>> '{old,n}')",
                "i.data ->> 'id' = '1'"
            ),
            "b\uFFFD [\"j\", \"n\"] " + too_large + " b\uFFFD 2"
        );
        EXPECT_EQ(events("i.data #>> '{new,b}'", "i.data ->> 'id' = '1'"), too_deep);
    }
}

// The watch knows the columns of its time.
TEST_F(WatchValues, ColumnsThatAreAddedOrChangedLaterAreLookedAtToo) {
    session_.script(
        "create table plain (id int, t text); select pawl.watch_table('plain', for_tenant => "
        "'acme'); insert into plain values (1, 'x')"
    );
    EXPECT_EQ(session_.value("select plain::text from pawl.change_batch"), "true");
    session_.script("alter table plain add column b jsonb; delete from pawl.change_batch");
    for (const char* rows : {"1", "2", "60"}) {
        session_.script(fmt::format(
            "delete from pawl.inbox;"
            "insert into plain select g, 'x', deep(70) from generate_series(1, {}) g",
            rows
        ));
        EXPECT_EQ(first("b"), too_deep) << rows;
    }
    session_.script(
        "alter table plain drop column b; alter table plain alter t type json using '1';"
        "delete from pawl.inbox; insert into plain values (1, '{\"a\": {\"b\": 1e400}}')"
    );
    EXPECT_EQ(first("t"), too_large);
    session_.script("delete from pawl.inbox; insert into plain values (1, '\"\\u0000\"')");
    EXPECT_EQ(first("t"), "\uFFFD");
}

// A double ends at 309 digits.
TEST_F(WatchValues, NumbersWithAPrecisionAreLookedAtWhereTheyMayBeTooLarge) {
    for (const char* type : {"numeric(500)", "numeric(3, -400)", "numeric(309, 1)"}) {
        session_.script(fmt::format(
            "drop table if exists wide; create table wide (n {}); "
            "select pawl.watch_table('wide', for_tenant => 'acme')",
            type
        ));
        workflow("acme", "[{\"event\": \"wide\"}]", "of_wide");
        for (const char* rows : {"1", "2", "60"}) {
            session_.script(fmt::format(
                "delete from pawl.inbox; insert into wide select {} from generate_series(1, {})",
                std::string(type) == "numeric(309, 1)" ? "9e307" : "-1e400",
                rows
            ));
            EXPECT_EQ(
                first("n"),
                std::string(type) == "numeric(309, 1)" ? "9" + std::string(307, '0') + ".0"
                                                       : too_large
            ) << type
              << rows;
        }
        session_.script("delete from pawl.definition where name = 'of_wide'");
    }
    session_.script(
        "create table narrow (n numeric(10, 2)); "
        "select pawl.watch_table('narrow', for_tenant => 'acme')"
    );
    workflow("acme", "[{\"event\": \"narrow\"}]", "of_narrow");
    session_.script("insert into narrow values (1)");
    EXPECT_EQ(session_.value("select plain::text from pawl.change_batch"), "true");
    session_.script(
        "delete from pawl.change_batch; delete from pawl.inbox; "
        "alter table narrow alter n type numeric; insert into narrow values (1e400)"
    );
    EXPECT_EQ(first("n"), too_large);
}

// What is wanted is decided by the row as it was written.
TEST_F(WatchValues, ConditionsHoldAsForAnyOtherRow) {
    session_.script("update pawl.definition set active = false");
    workflow("acme", "[{\"event\": \"notes\", \"conditions\": {\"j.kind\": \"a\"}}]", "picky");
    for (const char* kind : {"a", "b"}) {
        for (const char* rows : {"1", "60"}) {
            session_.script(fmt::format(
                "insert into notes select 1, '{{\"kind\": \"{}\", \"t\": \"\\u0000\"}}' from "
                "generate_series(1, {})",
                kind,
                rows
            ));
        }
    }
    EXPECT_EQ(count("pawl.inbox"), "61");
}

// Hundreds of them could not be written down together.
TEST_F(WatchValues, LongValuesAreLeftOutAndTheRestStays) {
    session_.script(
        "create table texts (id int, t text, y bytea);"
        "select pawl.watch_table('texts', for_tenant => 'acme', subject => 't')"
    );
    workflow("acme", "[{\"event\": \"texts\"}]", "of_texts");
    const std::string mib = "repeat('x', 1048576)";
    for (const char* rows : {"1", "2", "12"}) {
        session_.script(fmt::format(
            "delete from texts; delete from pawl.change_batch; delete from pawl.inbox;"
            "insert into texts select 7, {0} || 'y', convert_to({0}, 'UTF8') from "
            "generate_series(1, {1})",
            mib,
            rows
        ));
        EXPECT_EQ(count("pawl.inbox"), rows);
        EXPECT_EQ(
            first("t"),
            session_.value(fmt::format(
                "select jsonb_build_object('pawl.left_out', 'longer than 1 MiB', 'md5', md5({} || "
                "'y'))::text",
                mib
            ))
        );
        EXPECT_EQ(first("id"), "7");
        EXPECT_EQ(
            session_.value("select max(length(i.data ->> 'y'))::text from pawl.inbox i"), "2097154"
        ) << "1 MiB is not longer than that";
        EXPECT_EQ(session_.value("select count(i.subject)::text from pawl.inbox i"), "0");
        // It is seen that one is another, and that one is the same.
        session_.script(fmt::format("delete from pawl.inbox; update texts set t = {} || 'y'", mib));
        EXPECT_EQ(count("pawl.inbox"), "0");
        session_.script(fmt::format("update texts set t = {} || 'z', y = null", mib));
        EXPECT_EQ(count("pawl.inbox"), rows);
        EXPECT_EQ(first("changed"), R"(["t", "y"])");
        session_.script("delete from pawl.inbox; delete from texts");
        EXPECT_EQ(first("old,t,pawl.left_out"), "longer than 1 MiB");
    }
}

// All tenants wait for what one statement does, which has 30 seconds.
TEST_F(WatchValues, LongRowsBecomeEventsAFewAtATime) {
    session_.script(
        "do $$ begin for i in 1 .. 12 loop insert into notes (id, b) values (i, to_jsonb(("
        "select string_agg(md5(g::text), '') from generate_series(1, 8000) g))); end loop; end $$"
    );
    const int first = std::stoi(session_.value("select pawl.take_changes(0::smallint)::text"));
    EXPECT_GT(first, 0);
    EXPECT_LT(first, 12);
    EXPECT_EQ(events("i.data ->> 'id'"), "1 2 3 4 5 6 7 8 9 10 11 12")
        << "in the order in which they were written";
    // One that is longer than that alone becomes one, too.
    session_.script(
        "delete from pawl.inbox; insert into notes (id, b) select 1, to_jsonb((select "
        "string_agg(md5(g::text), '') from generate_series(1, 80000) g)) from generate_series(1, 3)"
    );
    EXPECT_EQ(count("pawl.inbox"), "3");
}

// A step reads many people at once: one of them must not keep the others from their messages.
TEST_F(WatchValues, OfAPersonToo) {
    session_.script(
        "create table people (id text primary key, j json, b jsonb, n numeric);"
        "insert into people values ('ann', '\"\\u0000\"', deep(70)::jsonb, 1e400), "
        "('bob', '{\"k\": 1}', '[2]', 3)"
    );
    for (const char* columns : {"", ", columns => '{j,b,n}'"}) {
        session_.script(fmt::format("select pawl.set_person_source('people', 'id'{})", columns));
        EXPECT_EQ(
            session_.value("select string_agg(concat_ws(' ', r.person ->> 'j', r.person ->> 'b', "
                           "r.person ->> 'n'), ', ' order by r.place) from "
                           "pawl.read_persons(array[1, 1], array['ann', 'bob']) r"),
            "\uFFFD " + too_deep + " " + too_large + R"(, {"k": 1} [2] 3)"
        );
    }
}

}  // namespace
}  // namespace pawl::test
