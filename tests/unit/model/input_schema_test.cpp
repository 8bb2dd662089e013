#include "model/input_schema.hpp"

#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/shared_pattern.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

namespace pawl {
namespace {

Definition with_schema(std::string_view schema, std::string_view rest = "") {
    const std::string text = fmt::format(
        R"({{"name": "w", "steps": [{{"name": "a", "code": "f"}}], "input_schema": {}{}}})",
        schema,
        rest
    );
    return parse_definition(text).value();
}

std::string refused(std::string_view schema, std::string_view input) {
    const auto valid = validate_input(with_schema(schema), parse_json(input).value());
    return valid ? "" : valid.error().message;
}

TEST(InputSchema, AStartThatDoesNotFitIsToldWhere) {
    constexpr std::string_view schema =
        R"({"type": "object", "required": ["age"], "additionalProperties": false,
            "properties": {"age": {"type": "integer", "minimum": 18},
                           "items": {"items": {"required": ["sku"]}}}})";
    EXPECT_EQ(refused(schema, R"({"age": 18})"), "");
    EXPECT_EQ(refused(schema, R"({"age": 17})"), "input.age: must be at least 18");
    EXPECT_EQ(refused(schema, R"({"age": "x"})"), "input.age: must be an integer");
    EXPECT_EQ(refused(schema, "{}"), "input.age: is required");
    // No guess: the database says the same.
    EXPECT_EQ(refused(schema, R"({"age": 18, "agee": 1})"), "input.agee: is not asked for");
    EXPECT_EQ(
        refused(schema, R"({"age": 18, "items": [{"sku": 1}, {}], "who": 1})"),
        "input.items[1].sku: is required (and 1 more)"
    );
    EXPECT_EQ(refused(schema, R"({"age": 18, "a/b": 1})"), "input.a/b: is not asked for");
    EXPECT_EQ(refused(R"({"properties": {"a": false}})", R"({"a": 1})"), "input.a: is not allowed");
    EXPECT_EQ(refused("null", R"({"a": 1})"), "");
}

TEST(InputSchema, EveryPlaceIsInTheContext) {
    const auto schema =
        parse_json(R"({"required": ["b"], "properties": {"c": {"items": {"type": "string"}}}})");
    const auto fits = check_fits(*schema, parse_json(R"({"c": ["x", 1]})").value());
    ASSERT_FALSE(fits);
    EXPECT_EQ(fits.error().message, "input.b: is required (and 1 more)");
    ASSERT_EQ(fits.error().context.size(), 2u);
    EXPECT_EQ(fits.error().context[1].first, "/c/1");
    EXPECT_EQ(fits.error().context[1].second, "must be a text");
}

// What was missing before is still told first, in the words that clients know.
TEST(InputSchema, WhatIsMissingIsToldFirst) {
    const Definition definition =
        with_schema(R"({"properties": {"a": {"minimum": 2}}})", R"(, "required_fields": ["b"])");
    const auto missing = validate_input(definition, json::object{{"a", 1}});
    EXPECT_EQ(missing.error().message, "Missing required fields: b");
    const auto unfit = validate_input(definition, json::object{{"a", 1}, {"b", 1}});
    EXPECT_EQ(unfit.error().message, "input.a: must be at least 2");
}

// As required_fields: each start brings one item.
TEST(InputSchema, ItIsAboutEachItemOfABatch) {
    const Definition definition = with_schema(
        R"({"required": ["n"]})", R"(, "flow": {"batch": {"size": 5, "max_wait": "1s"}})"
    );
    EXPECT_TRUE(validate_input(definition, json::object{{"n", 1}}));
    EXPECT_FALSE(validate_input(definition, json::object{{"items", json::array{}}}));
    const auto replaced = [&](std::string_view input) {
        return bool(check_replaced_input(definition, parse_json(input).value()));
    };
    EXPECT_TRUE(replaced(R"({"items": [{"n": 1}, {"n": 2}]})"));
    EXPECT_FALSE(replaced(R"({"items": [{"n": 1}, {}]})"));
}

TEST(InputSchema, ItIsKeptAsItIsWritten) {
    const Definition definition = with_schema(R"({"title": "T", "properties": {"a": true}})");
    EXPECT_EQ(
        json::serialize(to_json(definition).at("input_schema")),
        R"({"title":"T","properties":{"a":true}})"
    );
    EXPECT_EQ(definition_from_json(to_json(definition)).value(), definition);
    EXPECT_FALSE(to_json(with_schema("null")).contains("input_schema"));
}

TEST(InputSchema, WhatTheCheckerDoesNotKnowIsRefusedWithItsPlace) {
    const std::pair<const char*, const char*> cases[] = {
        {"[]", "line 2, input_schema: must be a JSON Schema, such as {properties: {...}}"},
        {"{properties: {age: {minimun: 1}}}",
         "line 2, input_schema: /properties/age/minimun: is not understood, did you mean "
         "'minimum'?"},
        {"{oneOf: []}", "line 2, input_schema: /oneOf: is not understood: leave it out"},
        {"{type: array}",
         "line 2, input_schema: /type: must be object: an input is always an object"},
        {"{properties: {a/b: {items: {pattern: '(?i)x'}}}}",
         "line 2, input_schema: /properties/a~1b/items/pattern: is not understood from '?i)x' on"},
    };
    for (const auto& [schema, says] : cases) {
        const auto read = parse_definition(
            fmt::format("name: w\ninput_schema: {}\nsteps: [{{name: a, code: f}}]", schema)
        );
        ASSERT_FALSE(read) << schema;
        EXPECT_TRUE(read.error().message.starts_with(says)) << read.error().message;
    }
    // One that was understood in its day does not keep its runs from going on.
    const auto stored = parse_json(
        R"({"name": "w", "steps": [{"name": "a", "code": "f"}], "input_schema": {"oneOf": []}})"
    );
    EXPECT_TRUE(definition_from_json(*stored));
}

TEST(InputSchema, NorDoesAFormOrTheAnswerOfAnAgent) {
    for (const char* step :
         {R"({"id": "a", "type": "human", "config": {"title": "t",
              "form": {"properties": {"b": {"enum": []}}}}})",
          R"({"id": "a", "type": "agent", "config": {"instructions": "i", "model": "m",
              "url": "https://example.com", "schema": {"required": [1]},
              "tools": [{"name": "t", "description": "d", "parameters": {"type": []},
                         "http": {"url": "https://example.com"}}]}})"}) {
        const std::string text = fmt::format(R"({{"name": "w", "nodes": [{}]}})", step);
        const auto written = parse_definition(text);
        ASSERT_FALSE(written) << step;
        EXPECT_NE(written.error().message.find("must "), std::string::npos);
        const auto stored = definition_from_json(parse_json(text).value());
        EXPECT_TRUE(stored) << stored.error().message;
    }
}

TEST(InputSchema, PatternsAreOnlyWhatTheDatabaseReadsAlike) {
    for (const char* fine :
         {"",
          "^[A-Z]{2}[0-9]{4}$",
          "^[\\w.-]+@[\\w.-]+\\.[a-z]{2,63}$",
          "^(\\d{3}-){2}\\d{4}$",
          "[ก-๙]+",
          "^[^\\s<>]{1,64}$",
          "(?:a|b)*?",
          "[[:alpha:]_]",
          "[!@#$%^&*]"}) {
        const auto shared = check_shared_pattern(fine);
        EXPECT_TRUE(shared) << fine << ": " << shared.error().message;
    }
    const std::pair<const char*, const char*> others[] = {
        {"(?i)a", "is not understood from '?i)a' on"},
        {"x\\bfoo", "is not understood from '\\bfoo' on"},
        {"\\p{L}", "is not understood from '\\p{L}' on"},
        {"a{256}", "is not understood from 'a{256}' on"},
        {"a{3,2}", "is not understood from 'a{3,2}' on"},
        {"a{,2}", "is not understood from '{,2}' on"},
        {"**", "is not understood from '**' on"},
        {"[a-\\d]", "is not understood from '[a-\\d]' on"},
        {"(a{30}){30}", "repeats too much: use smaller counts"},
        {".{100}", "repeats too much: use smaller counts"},
        {"(", "'(' is not a regular expression: missing"},
    };
    for (const auto& [pattern, says] : others) {
        const auto shared = check_shared_pattern(pattern);
        ASSERT_FALSE(shared) << pattern;
        EXPECT_TRUE(shared.error().message.starts_with(says)) << shared.error().message;
    }
    EXPECT_FALSE(check_shared_pattern(std::string(201, 'a')));
}

// A field that every input has is one that templates may use by its name, as with required_fields.
TEST(InputSchema, WhatItRequiresIsAFieldOfTheInput) {
    const auto read = [](std::string_view schema) {
        return parse_definition(fmt::format(
            R"({{"name": "w", "input_schema": {},
                "steps": [{{"name": "a", "code": "f", "input": {{"x": "{{{{ error }}}}"}}}}]}})",
            schema
        ));
    };
    EXPECT_FALSE(read("null"));
    EXPECT_TRUE(read(R"({"required": ["error"]})"));
}

}  // namespace
}  // namespace pawl
