#include "model/input_schema.hpp"

#include "base/json.hpp"
#include "model/pattern.hpp"
#include "model/shared_pattern.hpp"
#include "pg/pg_error.hpp"
#include "store/schema_chance.hpp"
#include "store/under_test.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <vector>

// The database holds the input of the starts that it makes against the same schema as the engine.
namespace pawl::test {
namespace {

struct Case {
    json::value schema;
    json::value input;
};

class InputSchema : public ::testing::Test {
protected:
    // What both say, for each case: the message, or nothing where it fits.
    void expect_same(const std::vector<Case>& cases) {
        json::array list;
        for (const Case& one : cases) list.push_back(json::array{one.schema, one.input});
        const auto said = parse_json(session_.value(fmt::format(
            "select jsonb_agg(coalesce(u.message, '') order by c.n)::text "
            "from jsonb_array_elements({}) with ordinality as c (one, n) "
            "cross join lateral pawl.unfit_input(c.one -> 0, c.one -> 1) as u",
            quoted(list)
        )));
        ASSERT_TRUE(said);
        ASSERT_EQ(said->as_array().size(), cases.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto fits = check_fits(cases[i].schema, cases[i].input);
            EXPECT_EQ(said->as_array()[i].as_string(), fits ? "" : fits.error().message)
                << json::serialize(cases[i].schema) << "\n"
                << json::serialize(cases[i].input);
        }
    }
    static std::string quoted(const json::value& value) {
        return "$json$" + json::serialize(value) + "$json$::jsonb";
    }
    void workflow(const std::string& schema, const std::string& more = "") {
        session_.script(fmt::format(
            "select pawl.apply_workflow('w', '{{\"name\": \"w\", \"input_schema\": {}{}, "
            "\"steps\": [{{\"name\": \"a\", \"function\": \"f\"}}]}}')",
            schema,
            more
        ));
    }
    std::string runs() { return session_.value("select count(*)::text from pawl.live_run"); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

const char* const table[][2] = {
    {R"({"type": "object"})", "{}"},
    {R"({"required": ["a"], "additionalProperties": false})", R"({"b": 1})"},
    {R"({"properties": {"a": {"type": "integer", "minimum": 18}}})", R"({"a": 17})"},
    {R"({"properties": {"a": {"type": ["integer", "null"]}}})", R"({"a": 1.5})"},
    {R"({"properties": {"a": {"type": "integer"}}})", R"({"a": 2.0})"},
    {R"({"properties": {"a": {"type": []}}})", R"({"a": 2.0})"},
    {R"({"properties": {"a": {"type": "integer", "enum": ["x"]}}})", R"({"a": "y"})"},
    {R"({"properties": {"a": {"enum": [1, "x", null, true, {"k": [1.50]}]}}})", R"({"a": "y"})"},
    {R"({"properties": {"a": {"enum": [{"k": [1, 2]}]}}})", R"({"a": {"k": [1.0, 2]}})"},
    {R"({"properties": {"a": {"const": 1}}})", R"({"a": 1.0})"},
    {R"({"properties": {"a": {"const": "x"}}})", R"({"a": null})"},
    {R"({"properties": {"a": {"exclusiveMinimum": 0, "exclusiveMaximum": 1}}})", R"({"a": 1})"},
    {R"({"properties": {"a": {"maximum": 9007199254740992}}})", R"({"a": 9007199254740993})"},
    {R"({"properties": {"a": {"multipleOf": 0.01}}})", R"({"a": 0.075})"},
    {R"({"properties": {"a": {"multipleOf": 0.01}}})", R"({"a": 0.07})"},
    {R"({"properties": {"a": {"multipleOf": 0}}})", R"({"a": 1})"},
    {R"({"properties": {"a": {"multipleOf": 1e-300}}})", R"({"a": 1e300})"},
    {R"({"properties": {"a": {"minLength": 1}}})", R"({"a": ""})"},
    {R"({"properties": {"a": {"minLength": 4, "maxLength": 2}}})", R"({"a": "äöü"})"},
    {R"({"properties": {"a": {"pattern": "^[A-Z]{2}$"}}})", R"({"a": "ABC"})"},
    {R"({"properties": {"a": {"pattern": "^a.b$"}}})", R"({"a": "a\nb"})"},
    {R"({"properties": {"a": {"pattern": "^\\s$"}}})", R"({"a": "\u000b"})"},
    {R"({"properties": {"a": {"pattern": "^\\w+$"}}})", R"({"a": "é"})"},
    {R"({"properties": {"a": {"format": "date"}}})", R"({"a": "2026-02-30"})"},
    {R"({"properties": {"a": {"format": "date-time"}}})", R"({"a": "2026-1-31T09:00:00Z"})"},
    {R"({"properties": {"a": {"format": "email"}}})", R"({"a": "a@b..c"})"},
    {R"({"properties": {"a": {"items": {"type": "string"}, "maxItems": 1}}})", R"({"a": [1, 2]})"},
    {R"({"properties": {"a": {"minItems": 1}}})", R"({"a": []})"},
    {R"({"properties": {"a": {"items": false}}})", R"({"a": [1]})"},
    {R"({"properties": {"a": true, "b": false}})", R"({"a": 1, "b": 2})"},
    {R"({"properties": {"a/b~": {"type": "string"}, "1": {"type": "null"}}})",
     R"({"a/b~": 1, "1": 1})"},
    {R"({"required": [1, null, {}, "b"]})", R"({"a": 1})"},
    {R"({"title": "T", "default": {}, "x-order": 1, "required": ["é"]})", "{}"},
};

TEST_F(InputSchema, TheDatabaseSaysWhatTheEngineSays) {
    std::vector<Case> cases;
    for (const auto& [schema, input] : table) {
        cases.push_back({parse_json(schema).value(), parse_json(input).value()});
    }
    cases.push_back({parse_json(R"({"additionalProperties": false})").value(), json::object{}});
    cases.back().input.as_object()[std::string(600, 'k')] = 1;
    cases.push_back({json::object{{"const", std::string(900, 'x')}}, json::object{}});
    json::array many(100, "choice");
    cases.push_back({json::object{{"enum", many}}, json::object{}});
    // A pattern looks at the beginning of what is very long.
    cases.push_back(
        {parse_json(R"({"properties": {"a": {"pattern": "^[^x]*$"}}})").value(),
         json::object{{"a", std::string(70'000, 'a') + "x"}}}
    );
    expect_same(cases);
}

TEST_F(InputSchema, AndForAnythingElse) {
    Chance chance(20261119);
    std::vector<Case> cases;
    for (int i = 0; i < 1500; ++i) cases.push_back({chance.schema(), chance.object()});
    expect_same(cases);
}

// The test that is made once for many starts.
TEST_F(InputSchema, WhatPassesTheQuickTestFits) {
    Chance chance(3);
    json::array list;
    for (int i = 0; i < 300; ++i) {
        list.push_back(json::array{chance.schema(), i % 2 == 0 ? chance.value() : chance.object()});
    }
    const std::string counts = session_.value(fmt::format(
        "select concat_ws(' ', count(*) filter (where t.passes and not t.fits), "
        "count(*) filter (where t.fits) > 40, "
        "count(*) filter (where t.passes) * 10 > count(*) filter (where t.fits) * 8) from ("
        "select coalesce(jsonb_path_match(c -> 1, pawl.schema_test(c -> 0), '{{}}', true), false) "
        "as passes, pawl.fits(c -> 0, c -> 1, null) as fits from jsonb_array_elements({}) c) t",
        quoted(list)
    ));
    EXPECT_EQ(counts, "0 t t");
}

TEST_F(InputSchema, PatternsAreUnderstoodAndMatchAlike) {
    Chance chance(7);
    json::array patterns, texts;
    for (int i = 0; i < 500; ++i) patterns.push_back(json::value(chance.pattern()));
    for (int i = 0; i < 500; ++i) texts.push_back(json::value(chance.text()));
    const auto said = parse_json(session_.value(fmt::format(
        "select jsonb_agg(case when p.problem is null then "
        "to_jsonb(t.text collate \"C\" ~ pawl.database_pattern(c.pattern)) "
        "else to_jsonb(p.problem) end order by c.n)::text "
        "from jsonb_array_elements_text({}) with ordinality as c (pattern, n) "
        "join jsonb_array_elements_text({}) with ordinality as t (text, n) on t.n = c.n "
        "cross join lateral pawl.pattern_problem(c.pattern) as p (problem)",
        quoted(patterns),
        quoted(texts)
    )));
    ASSERT_TRUE(said);
    int understood = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const std::string_view pattern = patterns[i].as_string();
        const json::value& theirs = said->as_array()[i];
        const auto shared = check_shared_pattern(pattern);
        ASSERT_EQ(theirs.is_bool(), bool(shared)) << pattern << ": " << theirs;
        if (!shared) continue;
        ++understood;
        const auto compiled = Pattern::compile(pattern);
        ASSERT_TRUE(compiled) << pattern;
        EXPECT_EQ(theirs.as_bool(), compiled->found_in(texts[i].as_string()))
            << pattern << " in " << texts[i];
    }
    EXPECT_GT(understood, 120);
}

TEST_F(InputSchema, PatternsThatPostgresReadsForHoursAreRefusedByBoth) {
    session_.script("set statement_timeout = '5s'");
    for (const char* pattern :
         {"((^a?|b?$)*){20}",
          "((^|a)*(b|$)*){40}",
          "(((((^)a)*)*)*)*",
          "(^|a){2}",
          "(?:a|(b|$))+?",
          "(^|$)?(^|$)?(^|$)?(^|$)?(^|$)?",
          "(^a?|b?$)?(^a?|b?$)?(^a?|b?$)?(^a?|b?$)?(^a?|b?$)?(^a?|b?$)?(^a?|b?$)?"}) {
        const auto shared = check_shared_pattern(pattern);
        ASSERT_FALSE(shared) << pattern;
        const std::string problem = session_.value(
            fmt::format("select pawl.pattern_problem({})", "$p$" + std::string(pattern) + "$p$")
        );
        EXPECT_EQ(problem, "may have ^ and $ 8 times at most, and not in a group that is repeated");
        EXPECT_EQ(problem, shared.error().message);
    }
    for (const char* pattern :
         {"^a$|^b$|^c$|^d$",
          "^(\\d{1,3}\\.){3}\\d{1,3}$",
          "(^|,)?a(,|$)",
          "([\\^$]|\\^|\\$)*",
          "(a|^){1}"}) {
        EXPECT_TRUE(check_shared_pattern(pattern)) << pattern;
        EXPECT_EQ(
            session_.value(fmt::format(
                "select coalesce(pawl.pattern_problem({}), 'fine')",
                "$p$" + std::string(pattern) + "$p$"
            )),
            "fine"
        ) << pattern;
    }
}

TEST_F(InputSchema, ADefinitionWithAnotherSchemaIsRefusedByBoth) {
    for (const char* text :
         {R"({"oneOf": []})",
          R"({"type": "array"})",
          R"({"type": ["object", "nil"]})",
          R"({"properties": []})",
          R"({"properties": {"a": 1}})",
          R"({"required": "a"})",
          R"({"additionalProperties": {}})",
          R"({"properties": {"a": {"minimun": 1}}})",
          R"({"properties": {"a/b": {"items": {"pattern": "(?i)x"}}}})",
          R"({"minLength": "1"})",
          R"({"format": "phone"})",
          R"({"pattern": 1})",
          R"({"enum": 1})",
          R"({"properties": {"a": {"enum": []}}})",
          R"({"properties": {"a": {"type": []}}})",
          R"({"required": ["a", 1]})"}) {
        const auto known = check_input_schema(parse_json(text).value());
        ASSERT_FALSE(known) << text;
        const auto detail = session_.refusal(fmt::format(
            "insert into pawl.definition (name, steps, settings) values ('w', "
            "'[{{\"name\": \"a\", \"function\": \"f\"}}]', '{{\"input_schema\": {}}}')",
            text
        ));
        EXPECT_EQ(detail.sqlstate, "22023") << text;
        EXPECT_FALSE(detail.hint.empty());
        // The engine may guess what was meant.
        const std::string expected = "input_schema: " + known.error().message;
        const std::size_t place = expected.find(": is not understood, did");
        EXPECT_TRUE(detail.message.starts_with(expected.substr(0, place))) << detail.message << "\n"
                                                                           << expected;
    }
    EXPECT_EQ(session_.value("select count(*)::text from pawl.definition"), "0");
}

// Its runs would be held: the engine could not read it back.
TEST_F(InputSchema, ADefinitionWithANumberBeyondADoubleIsRefused) {
    const std::string wrong =
        "a definition must not be nested deeper than 64 levels or have a number that is out of "
        "range";
    for (const char* more :
         {R"("input_schema": {"properties": {"a": {"maximum": 1e400}}}, "steps": [)",
          R"("steps": [{"name": "b", "function": "f", "input": {"x": -1e400}},)"}) {
        const auto detail = session_.refusal(fmt::format(
            "select pawl.apply_workflow('w', '{{\"name\": \"w\", {}"
            "{{\"name\": \"a\", \"function\": \"f\"}}]}}')",
            more
        ));
        EXPECT_EQ(detail.sqlstate, "22023") << more;
        EXPECT_EQ(detail.message, wrong) << more;
    }
    EXPECT_EQ(session_.value("select count(*)::text from pawl.definition"), "0");
}

TEST_F(InputSchema, EveryStartByTheDatabaseIsHeldAgainstIt) {
    workflow(R"({"required": ["age"], "properties": {"age": {"minimum": 18}}})");
    const auto told = [this](const std::string& statement) {
        const auto detail = session_.refusal(statement);
        EXPECT_EQ(detail.sqlstate, "22023");
        EXPECT_EQ(detail.hint, "The workflow w says in its input_schema what data may hold.");
        return detail.message + " | " + detail.detail;
    };
    EXPECT_EQ(told("select pawl.start('w')"), "input.age: is required | input.age: is required");
    EXPECT_EQ(
        told("select pawl.start_many('w', '[{\"data\": {\"age\": 18}}, {\"data\": {\"age\": 1}}]')"
        ),
        "runs[1]: input.age: must be at least 18 | input.age: must be at least 18"
    );
    EXPECT_EQ(
        told("insert into pawl.workflow_executions (workflow_name, input_payload) "
             "values ('w', '{\"age\": 2}')"),
        "input.age: must be at least 18 | input.age: must be at least 18"
    );
    EXPECT_EQ(runs(), "0");
    session_.script(
        "select pawl.start('w', '{\"age\": 18}');"
        "select pawl.start_many('w', '[{\"data\": {\"age\": 18}}, {\"data\": {\"age\": 99}}]')"
    );
    EXPECT_EQ(runs(), "3");
}

// The version that is chosen says what it takes.
TEST_F(InputSchema, AVersionBesideTheHeadHasItsOwn) {
    workflow(R"({"required": ["old"]})");
    workflow(R"({"required": ["new"]})");
    session_.script("select pawl.set_canary(1, 'w', '[{\"version\": 1, \"share\": 100}]')");
    EXPECT_EQ(
        session_.refusal("select pawl.start('w', '{\"new\": 1}')").message, "input.old: is required"
    );
    session_.script("select pawl.start_many('w', '[{\"data\": {\"old\": 1}}]')");
    EXPECT_EQ(runs(), "1");
}

// Each match may take half a second of all tenants' time.
TEST_F(InputSchema, PatternsLookAtSoMuchTextOnly) {
    json::array texts(15, json::value(std::string(20'000, 'a')));
    expect_same(
        {{parse_json(R"({"properties": {"a": {"items": {"pattern": "^a*$"}}}})").value(),
          json::object{{"a", texts}}},
         {parse_json(R"({"properties": {"a": {"items": {"pattern": "b", "enum": [1]}}}})").value(),
          json::object{{"a", texts}}}}
    );
    const auto fits = check_fits(
        parse_json(R"({"properties": {"a": {"items": {"pattern": "^a*$"}}}})").value(),
        json::object{{"a", texts}}
    );
    ASSERT_FALSE(fits);
    EXPECT_EQ(fits.error().message, "input.a[6]: is too long to be checked from here on");
}

TEST_F(InputSchema, ASchemaHasAHundredPatternsAtMost) {
    for (const int count : {100, 101}) {
        json::object properties;
        for (int i = 0; i < count; ++i) {
            properties["p" + std::to_string(i)] = json::object{{"pattern", "x"}};
        }
        const json::object schema{{"properties", properties}};
        EXPECT_EQ(bool(check_input_schema(schema)), count == 100);
        const std::string asked = fmt::format("select pawl.check_input_schema({})", quoted(schema));
        if (count == 100) {
            session_.script(asked);
        } else {
            EXPECT_EQ(session_.refusal(asked).message, "input_schema: has more than 100 patterns");
        }
    }
}

TEST_F(InputSchema, ACheckHasAnEnd) {
    EXPECT_EQ(
        session_.value(
            "select u.message from pawl.unfit_input(jsonb_build_object('properties', "
            "jsonb_build_object('a', jsonb_build_object('items', jsonb_build_object('enum', "
            "(select jsonb_agg(g) from generate_series(1, 2000) g))))), jsonb_build_object('a', "
            "(select jsonb_agg(2000) from generate_series(1, 2000)))) u"
        ),
        "input.a[999]: is too long to be checked from here on"
    );
}

}  // namespace
}  // namespace pawl::test
