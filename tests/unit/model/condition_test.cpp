#include "model/condition.hpp"

#include "base/json.hpp"
#include "model/compare.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

namespace pawl {
namespace {

json::value read(std::string_view text) {
    return parse_json(text).value();
}

// What the conditions of these tests look at.
const json::value& context() {
    static const json::value value = read(R"({
        "input": {"total": 120, "name": "Ada Lovelace", "tags": ["vip", "new", 7], "none": null,
                  "paid": true, "big": 18446744073709551615, "half": 0.5, "low": -3,
                  "at": "2026-03-01T09:00:00+01:00", "day": "2026-03-01",
                  "box": {"a": 1, "b": [1, 2]}, "items": [{"price": 5}]}})");
    return value;
}

bool holds_for(const json::value& condition, std::span<const bool> answers = {}) {
    const auto parsed = parse_condition(condition);
    EXPECT_TRUE(parsed) << serialize(condition) << ": " << parsed.error().message;
    if (!parsed) return false;
    const PathLookup lookup = [](const Path& path) { return walk(&context(), path); };
    return evaluate(*parsed, lookup, answers);
}

bool test(std::string_view path, std::string_view op, json::value value) {
    const std::string full = "input." + std::string(path);
    return holds_for({{"path", full}, {"operator", op}, {"value", std::move(value)}});
}

TEST(Condition, Equality) {
    EXPECT_TRUE(test("total", "=", 120));
    EXPECT_TRUE(test("total", "=", 120.0));
    EXPECT_FALSE(test("total", "=", "120"));
    EXPECT_TRUE(test("total", "!=", "120"));
    EXPECT_TRUE(test("paid", "=", true));
    EXPECT_FALSE(test("paid", "=", 1));
    EXPECT_TRUE(test("box", "=", {{"b", {1.0, 2}}, {"a", 1}}));
    EXPECT_FALSE(test("box", "=", {{"b", {1, 2, 3}}, {"a", 1}}));
    EXPECT_FALSE(test("box", "=", {{"b", {1, 2}}, {"c", 1}}));
    EXPECT_TRUE(test("none", "=", nullptr));
    EXPECT_TRUE(test("nowhere", "=", nullptr)) << "a path that leads nowhere counts as null";
    EXPECT_TRUE(test("nowhere", "!=", 5));
}

TEST(Condition, Order) {
    EXPECT_TRUE(test("total", ">", 119.5));
    EXPECT_TRUE(test("total", ">=", 120));
    EXPECT_FALSE(test("total", "<", 120));
    EXPECT_TRUE(test("total", "<=", 120));
    EXPECT_TRUE(test("half", "<", 1));
    EXPECT_TRUE(test("low", "<", 0));
    EXPECT_TRUE(test("big", ">", -1));
    EXPECT_TRUE(test("name", "<", "B"));
    for (std::string_view op : {"<", "<=", ">", ">="}) {
        EXPECT_FALSE(test("name", op, 5)) << op;
        EXPECT_FALSE(test("total", op, "5")) << op;
        EXPECT_FALSE(test("nowhere", op, 5)) << op;
        EXPECT_FALSE(test("none", op, nullptr)) << op;
        EXPECT_FALSE(test("paid", op, true)) << op;
        EXPECT_FALSE(test("tags", op, json::array{})) << op;
    }
}

TEST(Condition, ListsAndText) {
    EXPECT_TRUE(test("total", "in", {1, 120.0}));
    EXPECT_FALSE(test("total", "in", {"120"}));
    EXPECT_TRUE(test("total", "not in", {"120"}));
    EXPECT_TRUE(test("total", "not_in", json::array{}));
    EXPECT_FALSE(test("total", "not in", {120}));
    EXPECT_TRUE(test("nowhere", "not in", {1}));
    EXPECT_TRUE(test("tags", "contains", "vip"));
    EXPECT_TRUE(test("tags", "contains", 7.0));
    EXPECT_FALSE(test("tags", "contains", "vi"));
    EXPECT_TRUE(test("name", "contains", "Love"));
    EXPECT_FALSE(test("name", "contains", 5));
    EXPECT_FALSE(test("total", "contains", 1));
    EXPECT_TRUE(test("name", "starts with", "Ada"));
    EXPECT_TRUE(test("name", "starts_with", ""));
    EXPECT_FALSE(test("name", "starts with", "ada"));
    EXPECT_FALSE(test("total", "starts with", "1"));
    EXPECT_TRUE(test("items[0].price", "=", 5));
    EXPECT_FALSE(test("items[1].price", "=", 5));
}

TEST(Condition, Exists) {
    const auto exists = [](std::string_view path) {
        return holds_for({{"field", path}, {"operator", "exists"}});
    };
    EXPECT_TRUE(exists("input.total"));
    EXPECT_FALSE(exists("input.none"));
    EXPECT_FALSE(exists("input.nowhere"));
    EXPECT_TRUE(holds_for({{"path", "input.none"}, {"operator", "not exists"}}));
    EXPECT_TRUE(holds_for({{"path", "x.y"}, {"operator", "not_exists"}, {"value", nullptr}}));
}

TEST(Condition, Between) {
    EXPECT_TRUE(test("total", "between", {120, 121}));
    EXPECT_TRUE(test("total", "between", {0.5, 120.0}));
    EXPECT_FALSE(test("total", "between", {121, 119}));
    EXPECT_FALSE(test("total", "between", {"1", "9"}));
    EXPECT_FALSE(test("total", "between", {1, "9"}));
    EXPECT_TRUE(test("name", "between", {"A", "B"}));
    // As moments, not as text: 08:30Z is half an hour after 09:00+01:00.
    EXPECT_TRUE(test("at", "between", {"2026-03-01T07:00:00Z", "2026-03-01T08:30:00Z"}));
    EXPECT_FALSE(test("at", "between", {"2026-03-01T08:30:00Z", "2026-03-02"}));
    EXPECT_TRUE(test("day", "between", {"2026-02-01", "2026-03-01"}));
}

TEST(Condition, Times) {
    EXPECT_TRUE(test("at", "before", "2026-03-01T08:00:01Z"));
    EXPECT_FALSE(test("at", "before", "2026-03-01T08:00:00Z"));
    EXPECT_TRUE(test("at", "after", "2026-03-01"));
    EXPECT_TRUE(test("day", "before", "2026-03-01T00:00:01Z"));
    EXPECT_FALSE(test("name", "before", "2026-03-01"));
    EXPECT_FALSE(test("total", "after", "2026-03-01"));
    EXPECT_FALSE(test("nowhere", "after", "2026-03-01"));
    EXPECT_FALSE(test("at", "after", nullptr));
}

TEST(Condition, Matches) {
    EXPECT_TRUE(test("name", "matches", "love|Love"));
    EXPECT_TRUE(test("name", "matches", "^Ada .*ace$"));
    EXPECT_FALSE(test("name", "matches", "^Lovelace"));
    EXPECT_TRUE(test("name", "matches", "(?i)ADA"));
    EXPECT_FALSE(test("total", "matches", "1"));
}

TEST(Condition, AllAnyNot) {
    const json::value yes{{"path", "input.total"}, {"operator", "="}, {"value", 120}};
    const json::value no{{"path", "input.total"}, {"operator", "="}, {"value", 121}};
    EXPECT_TRUE(holds_for({{"all", json::array{yes, yes}}}));
    EXPECT_FALSE(holds_for({{"all", json::array{yes, no}}}));
    EXPECT_TRUE(holds_for({{"any", json::array{no, yes}}}));
    EXPECT_FALSE(holds_for({{"any", json::array{no, no}}}));
    EXPECT_TRUE(holds_for({{"not", no}}));
    EXPECT_TRUE(holds_for({{"not", {{"all", json::array{yes, {{"not", yes}}}}}}}));
}

TEST(Condition, QueriesAreAnsweredFromOutside) {
    const auto query = [](std::string_view value) -> json::value {
        return {
            {"query",
             {{"table", "sales.orders"},
              {"field", "status"},
              {"operator", "="},
              {"value", value},
              {"subject_field", "customer_id"}}}};
    };
    const json::value condition{
        {"any", json::array{query("a"), {{"not", query("b")}}, {{"all", {query("c")}}}}}};
    const auto parsed = parse_condition(condition).value();
    EXPECT_TRUE(has_query(parsed));
    const auto asked = queries(parsed);
    ASSERT_EQ(asked.size(), 3U);
    EXPECT_EQ(asked[0]->value, "a");
    EXPECT_EQ(asked[2]->value, "c");
    EXPECT_EQ(asked[2]->index, 2U);
    EXPECT_EQ(asked[0]->table, "sales.orders");
    EXPECT_EQ(asked[0]->subject_field, "customer_id");
    for (unsigned mask = 0; mask < 8; ++mask) {
        const std::array<bool, 3> answers{(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
        EXPECT_EQ(holds_for(condition, answers), answers[0] || !answers[1] || answers[2]) << mask;
    }
    EXPECT_FALSE(holds_for(query("a"))) << "no answer counts as false";
    const auto plain = parse_condition(read(R"({"path": "a", "operator": "exists"})")).value();
    EXPECT_FALSE(has_query(plain));
    EXPECT_EQ(comparisons(plain).size(), 1U);
    EXPECT_EQ(comparisons(plain)[0]->path_text, "a");
}

TEST(Condition, TemplatesWaitForTheirValue) {
    const auto open = [](std::string_view op, std::string_view value) {
        return parse_condition({{"path", "a"}, {"operator", op}, {"value", value}});
    };
    for (std::string_view op : {"in", "between", "before", "matches", "starts with"}) {
        EXPECT_TRUE(open(op, "{{ input.limit }}")) << op;
    }
    EXPECT_FALSE(open("in", "limit"));
    EXPECT_FALSE(open("matches", "("));
    EXPECT_TRUE(open("matches", "({{ input.word }}"));
}

std::string problem(std::string_view text, std::string_view at = {}) {
    const auto parsed = parse_condition(read(text), at);
    return parsed ? "fine" : parsed.error().message;
}

TEST(ConditionErrors, NameThePlaceAndTheWayOut) {
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        {R"({"all": [{"path": "a", "operator": "exists"},
                     {"path": "a", "operator": "=>", "value": 1}]})",
         "all[1].operator: '=>' is not an operator, did you mean '>='?"},
        {R"({"path": "a", "operator": "=="})",
         "operator: '==' is not an operator, did you mean '='?"},
        {R"({"path": "a", "operator": "contians", "value": 1})",
         "operator: 'contians' is not an operator, did you mean 'contains'?"},
        {R"({"not": {"any": [{"path": "a b", "operator": "=", "value": 1}]}})",
         "not.any[0].path: 'a b' is not a path: a path looks like input.order.total or "
         "steps.pay.result.id"},
        {R"({"path": "{{a}}", "operator": "=", "value": 1})",
         "path: write the path without braces: {{ }} is for values"},
        {R"({"path": "a | default: 1", "operator": "=", "value": 1})",
         "path: 'a | default: 1' is not a path: a path looks like input.order.total or "
         "steps.pay.result.id"},
        {R"({"field": 5, "operator": "=", "value": 1})",
         "field: must be text: a path looks like input.order.total or steps.pay.result.id"},
        {R"({"field": "a", "path": "b", "operator": "=", "value": 1})",
         "field: is another word for 'path': keep one of them"},
        {R"({"path": "a", "operator": "="})",
         "value: is missing: '=' needs something to compare with"},
        {R"({"path": "a", "operator": "exists", "value": true})",
         "value: 'exists' takes no value: leave it out"},
        {R"({"path": "a", "operator": "in", "value": "x"})",
         R"(value: must be a list, such as ["new", "open"] for 'in')"},
        {R"({"path": "a", "operator": "between", "value": [1]})",
         "value: must be a list of two: the lowest and the highest value for 'between'"},
        {R"({"path": "a", "operator": "after", "value": "tomorrow"})",
         "value: must be a time such as \"2026-03-01T09:00:00Z\" or \"2026-03-01\" for 'after'"},
        {R"({"path": "a", "operator": "matches", "value": "a(b"})",
         "value: 'a(b' is not a regular expression: missing ): a(b"},
        {R"({"path": "a", "operater": "=", "value": 1})",
         "operater: unknown key, did you mean 'operator'?"},
        {R"({"alll": []})", "alll: unknown key, did you mean 'all'?"},
        {R"({"all": []})", "all: must be a list of at least one condition"},
        {R"({"all": [{"path": "a", "operator": "exists"}], "any": []})",
         "'all' and 'any' cannot stand side by side: put both into a list under 'all' or 'any'"},
        {R"({"query": {"table": "orders; drop table x", "field": "a", "operator": "exists"}})",
         "query.table: is not a name: write a table such as orders or sales.orders, of letters, "
         "digits and '_'"},
        {R"({"query": {"table": "orders", "field": "a\" = 1 --", "operator": "exists"}})",
         "query.field: is not a name: write a column such as status, of letters, digits and '_'"},
        {R"({"query": {"table": "orders", "operator": "exists"}})",
         "query.field: is missing: write a column such as status, of letters, digits and '_'"},
        {R"({"query": {"table": "a", "field": "b", "operator": "matches", "value": "(a)\\1"}})",
         "query.value: '(a)\\1' is not a regular expression: invalid escape sequence: \\1"},
    };
    for (const auto& [text, message] : cases) EXPECT_EQ(problem(text), message) << text;
    EXPECT_EQ(
        problem(R"({"not": 5})", "nodes[2].config"),
        "nodes[2].config.not: a condition is an object: {path, operator, value}, {all: [...]}, "
        "{any: [...]}, {not: {...}} or {query: {...}}"
    );
}

TEST(ConditionErrors, NamesOfTablesAndColumns) {
    const auto fits = [](std::string_view table, std::string_view field, json::value subject) {
        json::object query{{"table", table}, {"field", field}, {"operator", "exists"}};
        if (!subject.is_null()) query["subject_field"] = std::move(subject);
        return parse_condition(json::object{{"query", std::move(query)}}).has_value();
    };
    EXPECT_TRUE(fits("orders", "status", nullptr));
    EXPECT_TRUE(fits("sales.Orders_2", "_status", "customer"));
    const std::string longest(63, 'a');
    EXPECT_TRUE(fits(longest + "." + longest, longest, nullptr));
    for (const std::string& odd :
         {std::string(),
          std::string("a.b.c"),
          std::string("a."),
          std::string(".a"),
          std::string("1a"),
          std::string("a\"b"),
          std::string("a'b"),
          std::string("a b"),
          std::string("a--"),
          std::string("ä"),
          std::string("a\nb"),
          std::string(64, 'a')}) {
        EXPECT_FALSE(fits(odd, "status", nullptr)) << odd;
        EXPECT_FALSE(fits("orders", odd, nullptr)) << odd;
        EXPECT_FALSE(fits("orders", "status", json::value(odd))) << odd;
    }
    EXPECT_FALSE(fits("orders", "a.b", nullptr));
    EXPECT_FALSE(fits("orders", "status", 5));
}

TEST(ConditionErrors, Limits) {
    const json::value leaf{{"path", "a"}, {"operator", "exists"}};
    const auto nested = [&](int levels) {
        json::value value = leaf;
        for (int i = 1; i < levels; ++i) value = json::object{{"not", std::move(value)}};
        return value;
    };
    EXPECT_TRUE(parse_condition(nested(16)));
    EXPECT_FALSE(parse_condition(nested(17)));
    const auto wide = [&](std::size_t leaves) {
        return json::value{{"any", json::array(leaves, leaf)}};
    };
    EXPECT_TRUE(parse_condition(wide(200)));
    EXPECT_EQ(
        parse_condition(wide(201)).error().message,
        "any[200]: a condition may have 200 comparisons; split it"
    );
    const auto pattern = [](std::size_t length) {
        return json::value{
            {"path", "a"}, {"operator", "matches"}, {"value", std::string(length, 'x')}};
    };
    EXPECT_TRUE(parse_condition(pattern(200)));
    EXPECT_EQ(
        parse_condition(pattern(201)).error().message,
        "value: the pattern has 201 characters; at most 200 are allowed"
    );
}

// The classic killers of backtracking and recursive engines.
TEST(Pattern, HostilePatternsCostLittle) {
    const std::string text(100'000, 'a');
    for (std::string_view hostile :
         {"(a+)+$",
          "(a|a)*b",
          "(a|aa)+$",
          "^(([a-z])+.)+[A-Z]([a-z])+$",
          "(.*)*x",
          "(?:a?){90}a{90}",
          "(x+x+)+y"}) {
        const auto pattern = Pattern::compile(hostile);
        ASSERT_TRUE(pattern) << hostile;
        pattern->found_in(text + "!");
    }
    EXPECT_FALSE(Pattern::compile("((a{100}){100}){100}")) << "grows too large";
    EXPECT_EQ(
        Pattern::compile("(a|b|c){0,900}q").error().message,
        "the pattern '(a|b|c){0,900}q' repeats too much: use smaller counts"
    );
    EXPECT_FALSE(Pattern::compile("(a)\\1")) << "no back-references";
}

TEST(Compare, NumbersAreExact) {
    const std::int64_t edge = (std::int64_t{1} << 53) + 1;
    EXPECT_TRUE(std::is_gt(compare(edge, 0x1p53)));
    EXPECT_TRUE(std::is_lt(compare(0x1p53, edge)));
    EXPECT_FALSE(equal(edge, 0x1p53));
    EXPECT_TRUE(equal(edge - 1, 0x1p53));
    const auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_TRUE(std::is_lt(compare(most, 0x1p64)));
    EXPECT_TRUE(std::is_lt(compare(-1, most)));
    EXPECT_TRUE(std::is_gt(compare(most, -1)));
    EXPECT_TRUE(std::is_eq(compare(std::numeric_limits<std::int64_t>::min(), -0x1p63)));
    EXPECT_TRUE(std::is_gt(compare(std::numeric_limits<std::int64_t>::min(), -1e300)));
    EXPECT_TRUE(std::is_lt(compare(-2, -1.5)));
    EXPECT_TRUE(std::is_gt(compare(-1, -1.5)));
}

json::value any_number() {
    switch (*rc::gen::inRange(0, 4)) {
        case 0: return *rc::gen::arbitrary<std::int64_t>();
        case 1: return *rc::gen::arbitrary<std::uint64_t>();
        case 2: return *rc::gen::inRange(-3, 3) * 0.5;
        default: return *rc::gen::inRange(-3, 3);
    }
}

long double exact(const json::value& number) {
    if (const auto* value = number.if_int64()) return *value;
    if (const auto* value = number.if_uint64()) return *value;
    return number.get_double();
}

TEST(Compare, IsAnOrderOnNumbers) {
    EXPECT_TRUE(rc::check([] {
        const json::value a = any_number();
        const json::value b = any_number();
        RC_ASSERT((std::is_lt(compare(a, b))) == (std::is_gt(compare(b, a))));
        RC_ASSERT(equal(a, b) == (std::is_eq(compare(a, b))));
        RC_ASSERT((std::is_lt(compare(a, b))) == (exact(a) < exact(b)));
    }));
}

}  // namespace
}  // namespace pawl
