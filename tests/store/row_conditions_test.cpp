#include "model/row_conditions.hpp"

#include "base/json.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// Conditions of triggers on the columns of a row are asked twice: by the database, which does not
// take in what no workflow wants, and by the engine. Both must decide alike.
namespace pawl::test {
namespace {

struct Case {
    std::string conditions;
    std::string record;
    bool expected;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {R"({"a":"x"})", R"({"a":"x"})", true},
        {R"({"a":"x"})", R"({"a":"y"})", false},
        {R"({"a":"x"})", R"({})", false},
        {R"({"a":null})", R"({"a":null})", true},
        {R"({"a":null})", R"({})", false},
        {R"({"a":1})", R"({"a":"1"})", false},
        {R"({"a":1})", R"({"a":1.0})", true},
        {R"({"a":true})", R"({"a":true})", true},
        {R"({"a":{"operator":"!=","value":5}})", R"({"a":null})", true},
        {R"({"a":{"operator":"!=","value":5}})", R"({"a":"5"})", true},
        {R"({"a":{"operator":"!=","value":5}})", R"({"a":5})", false},
        {R"({"a":{"operator":"!=","value":5}})", R"({})", false},
        {R"({"a":{"operator":"!=","value":5}})", R"({"a":[1]})", true},
        {R"({"a":{"operator":"!=","value":null}})", R"({"a":[1]})", true},
        {R"({"a":{"operator":"!=","value":null}})", R"({"a":null})", false},
        {R"({"a":{"operator":">=","value":100}})", R"({"a":100})", true},
        {R"({"a":{"operator":">=","value":100}})", R"({"a":"200"})", false},
        {R"({"a":{"operator":">=","value":100}})", R"({"a":null})", false},
        {R"({"a":{"operator":"<","value":"b"}})", R"({"a":"B"})", true},
        {R"({"a":{"operator":"<","value":"b"}})", R"({"a":"ä"})", false},
        {R"({"a":{"operator":"in","value":["x",2]}})", R"({"a":2})", true},
        {R"({"a":{"operator":"in","value":["x",2]}})", R"({"a":3})", false},
        {R"({"a":{"operator":"in","value":[]}})", R"({"a":3})", false},
        {R"({"a":{"operator":"not_in","value":["x",2]}})", R"({"a":null})", true},
        {R"({"a":{"operator":"not in","value":["x",2]}})", R"({"a":2})", false},
        {R"({"a":{"operator":"not in","value":["x",2]}})", R"({})", false},
        {R"({"a":{"operator":"not in","value":[]}})", R"({"a":2})", true},
        {R"({"a":{"operator":"contains","value":"x.y"}})", R"({"a":"ax.yb"})", true},
        {R"({"a":{"operator":"contains","value":"x.y"}})", R"({"a":"axzyb"})", false},
        {R"({"a":{"operator":"contains","value":"x"}})", R"({"a":["x","z"]})", true},
        {R"({"a":{"operator":"contains","value":"x"}})", R"({"a":["xx"]})", false},
        {R"({"a":{"operator":"contains","value":2}})", R"({"a":["xx",2]})", true},
        {R"({"a":{"operator":"contains","value":2}})", R"({"a":2})", false},
        {R"({"a":{"operator":"exists"}})", R"({"a":0})", true},
        {R"({"a":{"operator":"exists"}})", R"({"a":null})", false},
        {R"({"a":{"operator":"exists"}})", R"({})", false},
        {R"({"a":{"operator":"exists"}})", R"({"a":[1]})", true},
        {R"({"a":{"operator":"not_exists"}})", R"({"a":null})", true},
        {R"({"a":{"operator":"not_exists"}})", R"({})", true},
        {R"({"a":{"operator":"not_exists"}})", R"({"a":[1]})", false},
        {R"({"a":{"operator":"between","value":[1,5]}})", R"({"a":5})", true},
        {R"({"a":{"operator":"between","value":[1,5]}})", R"({"a":5.1})", false},
        {R"({"a":{"operator":"between","value":[1,5]}})", R"({"a":"3"})", false},
        {R"({"a":{"operator":"starts with","value":"ab"}})", R"({"a":"abc"})", true},
        {R"({"old.tier":"silver","new.tier":{"operator":"in","value":["gold","platinum"]}})",
         R"({"old":{"tier":"silver"},"new":{"tier":"gold"}})",
         true},
        {R"({"a":"x","b":"y"})", R"({"a":"x","b":"z"})", false},
        {R"({})", R"({"a":"x"})", true},
        {R"({"a":"x\"y\\z"})", R"({"a":"x\"y\\z"})", true},
        {R"({"a":{"operator":"contains","value":"\\\"b"}})", R"({"a":"a\\\"bc"})", true},
        {R"({"we\"ird":1})", R"({"we\"ird":1})", true}};
    return all;
}

TEST(RowConditions, TheDatabaseAndTheEngineDecideAlike) {
    TestDatabase database;
    Session& session = database.session();
    for (const Case& one : cases()) {
        const auto conditions = parse_row_conditions(parse_json(one.conditions).value());
        ASSERT_TRUE(conditions) << one.conditions << conditions.error().message;
        EXPECT_EQ(meets(*conditions, parse_json(one.record).value()), one.expected)
            << "engine: " << one.conditions << " " << one.record;
        const auto said = session.value(fmt::format(
            "select pawl.matches_conditions($c${}$c$, $r${}$r$)::text", one.conditions, one.record
        ));
        EXPECT_EQ(said, one.expected ? "true" : "false")
            << "database: " << one.conditions << " " << one.record;
    }
}

// Statements of many rows ask columns, not JSON: NaN, infinity and null are where these differ.
TEST(RowConditions, TestsOfColumnsDecideAsThoseOfJson) {
    TestDatabase database;
    Session& session = database.session();
    session.script(
        "create table cells as select x, t, b, u, i, j from (values (5::numeric), (5.5), (4), "
        "('NaN'), "
        "('Infinity'), ('-Infinity'), (null)) x (x), (values ('5'), ('a5'), (''), (null)) t (t), "
        "(values (true), (false), (null)) b (b), (values ('00000000-0000-0000-0000-000000000005'"
        "::uuid), (null)) u (u), (values (5), (6), (null)) i (i), "
        "(values ('null'::jsonb), ('{}'), (null)) j (j)"
    );
    const auto different = session.value(R"(
        with test as (
            select o.operator, o.value, a.attname, pawl.condition_sql(
                       'n.' || a.attname, a.atttypid, o.operator, o.value::jsonb) as text
              from (values ('=', '5'), ('!=', '5'), ('<', '5'), ('<=', '5'), ('>', '5'),
                           ('>=', '5'), ('in', '[5, 6]'), ('not in', '[5, 6]'),
                           ('between', '[1, 6]'),
                           ('exists', 'null'), ('not exists', 'null'), ('=', 'null'),
                           ('!=', 'null'), ('=', '"5"'), ('!=', '"5"'), ('<', '"a"'),
                           ('>=', '"5"'), ('contains', '"5"'), ('starts with', '"5"'),
                           ('=', 'true'),
                           ('!=', 'true'), ('in', '["5"]'), ('not in', '["5"]'), ('>=', '1e30'),
                           ('=', '5.50')) as o (operator, value)
              join pg_attribute a on a.attrelid = 'cells'::regclass and a.attnum > 0
        ), asked as (
            select t.*, (xpath('/row/c/text()', query_to_xml(format(
                       'select count(*) as c from cells n where (%s) is true is distinct from '
                       'pawl.matches_conditions(%L, to_jsonb(n.*))', t.text, jsonb_build_object(
                           t.attname, jsonb_build_object('operator', t.operator, 'value',
                                                         t.value::jsonb))), true, true, '')))[1]
                   ::text as different
              from test t where t.text is not null
        )
        select count(*) || ' asked' || coalesce(string_agg(a.text, '; ')
                   filter (where a.different <> '0'), '') from asked a)");
    EXPECT_EQ(different, "62 asked");
}

// What only the engine can tell, the database lets pass.
TEST(RowConditions, TheDatabaseRefusesNothingThatTheEngineWouldTake) {
    TestDatabase database;
    const std::string range =
        R"({"at": {"operator": "between", "value": ["2026-01-01", "2026-02-01T00:00:00Z"]}})";
    const std::string record = R"({"at": "2026-01-31T23:59:59.5+00:00"})";
    const auto conditions = parse_row_conditions(parse_json(range).value());
    ASSERT_TRUE(conditions);
    EXPECT_TRUE(meets(*conditions, parse_json(record).value()));
    EXPECT_FALSE(meets(*conditions, parse_json(R"({"at": "2026-03-01T00:00:00Z"})").value()));
    EXPECT_EQ(
        database.session().value(
            fmt::format("select pawl.matches_conditions($c${}$c$, $r${}$r$)::text", range, record)
        ),
        "true"
    );
}

}  // namespace
}  // namespace pawl::test
