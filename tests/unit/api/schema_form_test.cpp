#include "api/http/schema_form.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::api {
namespace {

json::value parsed(const char* text) {
    return json::parse(text);
}

json::value filled_in(const char* schema, const char* document, const FormFields& fields) {
    FormProblems wrong;
    auto value = read_fields(parsed(schema), parsed(document), fields, wrong);
    EXPECT_TRUE(wrong.empty());
    return value;
}

TEST(SchemaForm, OnlyAnObjectWithPropertiesHasFields) {
    EXPECT_TRUE(has_fields(parsed(R"({"properties": {"a": {}}})")));
    EXPECT_TRUE(has_fields(parsed(R"({"type": ["null", "object"], "properties": {"a": {}}})")));
    for (const char* none :
         {"null",
          "{}",
          R"({"type": "array"})",
          R"({"properties": {}})",
          R"({"properties": 5})",
          R"({"type": "string", "properties": {"a": {}}})"}) {
        EXPECT_FALSE(has_fields(parsed(none))) << none;
    }
}

TEST(SchemaForm, NothingOfASchemaOrADocumentBecomesMarkup) {
    const char* bad = R"("\"><script>x</script>")";
    const std::string schema =
        std::string(R"({"properties": {"\"><script>": {"title": )") + bad + R"(, "description": )" +
        bad + R"(, "type": "string"}, "c": {"enum": [)" + bad +
        R"(]}, "l": {"type": "array", "items": {"enum": [)" + bad + R"(]}}, "g": {"title": )" +
        bad + R"(, "properties": {"x": {"type": "string", "maxLength": 5000}}}}})";
    const std::string document =
        std::string(R"({"\"><script>": )") + bad + R"(, "g": {"x": "</textarea><script>"}})";
    const FormProblems wrong{{"/c", "<script>"}};
    const auto html = form_html(json::parse(schema), json::parse(document), nullptr, wrong);
    EXPECT_EQ(html.find("<script>"), std::string::npos) << html;
    EXPECT_EQ(html.find("\"\"><s"), std::string::npos) << html;
    EXPECT_NE(html.find("aria-describedby=\"data/c-wrong\""), std::string::npos) << html;
}

// The names of fields, in the order in which they stand.
std::string fields_of(const char* schema) {
    const auto html = form_html(parsed(schema), parsed("{}"), nullptr, {});
    constexpr std::string_view mark = "name=\"data/";
    std::string names;
    for (auto at = html.find(mark); at != html.npos; at = html.find(mark, at)) {
        at += mark.size();
        names += html.substr(at, html.find('"', at) - at) + " ";
    }
    return names;
}

TEST(SchemaForm, FieldsStandInTheOrderOfTheInbox) {
    EXPECT_EQ(
        fields_of(R"({"required": ["reason", "amount", "gone", 5], "properties": {
            "amount": {"type": "number"}, "note": {"type": "string"},
            "reason": {"type": "string"}, "address": {"type": "string"}}})"),
        "reason amount note address "
    );
}

TEST(SchemaForm, XOrderComesBeforeWhatIsRequired) {
    EXPECT_EQ(
        fields_of(R"({"x-order": ["note", 5, "gone", "amount"], "required": ["reason", "amount"],
            "properties": {"amount": {}, "zip": {}, "reason": {}, "note": {}}})"),
        "note amount reason zip "
    );
    EXPECT_EQ(
        fields_of(R"({"x-order": "b", "properties": {"a": {}, "b": {}}, "required": ["b"]})"),
        "b a "
    );
}

TEST(SchemaForm, FieldsBecomeValuesOfTheirTypes) {
    const char* schema = R"({"properties": {
        "s": {"type": "string"}, "n": {"type": "number"}, "b": {"type": "boolean"},
        "e": {"enum": [1, "1", null]}, "l": {"type": "array", "items": {"type": "string"}},
        "j": {"type": "array", "items": {"type": "object"}},
        "a/b": {"properties": {"~": {"type": "string"}}}}})";
    const auto value = filled_in(
        schema,
        R"({"kept": 1})",
        {{"data/s", "x"},
         {"data/n", "1.50"},
         {"data/b", "true"},
         {"data/e", "\"1\""},
         {"data/l", "one\r\n\r\ntwo\r\n"},
         {"data/j", "[{}]"},
         {"data/a~1b/~0", "deep"}}
    );
    EXPECT_EQ(
        value, parsed(R"({"kept": 1, "s": "x", "n": 1.5, "b": true, "e": "1", "l": ["one", "two"],
                   "j": [{}], "a/b": {"~": "deep"}})")
    );
}

TEST(SchemaForm, AnEmptyFieldIsNoValue) {
    const char* schema = R"({"required": ["b", "l"], "properties": {
        "s": {"type": "string"}, "n": {"type": ["number", "null"]}, "b": {"type": "boolean"},
        "o": {"type": "boolean"}, "l": {"type": "array", "items": {"type": "string"}},
        "g": {"properties": {"x": {"type": "string"}}}}})";
    const FormFields none{{"data/", ""}, {"data/s", ""}, {"data/n", ""}};
    EXPECT_EQ(filled_in(schema, "{}", none), parsed(R"({"b": false, "l": []})"));
    EXPECT_EQ(
        filled_in(schema, R"({"s": "old", "n": null, "o": true})", none),
        parsed(R"({"n": null, "o": false, "b": false, "l": []})")
    );
    EXPECT_EQ(filled_in(schema, R"({"s": ""})", none), parsed(R"({"s": "", "b": false, "l": []})"));
}

TEST(SchemaForm, WhatCannotBeReadIsLeftToTheSchema) {
    const char* schema = R"({"properties": {"n": {"type": "integer"}, "j": {"type": "object"}}})";
    FormProblems wrong;
    const auto value =
        read_fields(parsed(schema), parsed("{}"), {{"data/n", "12x"}, {"data/j", "{"}}, wrong);
    EXPECT_EQ(value.at("n"), json::value("12x"));
    ASSERT_TRUE(wrong.contains("/j"));
    EXPECT_NE(wrong.find("/j")->second.find("not JSON"), std::string::npos);
    const FormFields typed{{"data/n", "12x"}, {"data/j", "{"}};
    const auto html = form_html(parsed(schema), parsed("{}"), &typed, wrong);
    EXPECT_NE(html.find("value=\"12x\""), std::string::npos) << html;
}

TEST(SchemaForm, WhatWasTickedByItselfAndIsUntickedSaysNo) {
    const char* schema = R"({"properties": {"on": {"type": "boolean", "default": true}}})";
    const auto shown = form_html(parsed(schema), parsed("{}"), nullptr, {});
    EXPECT_NE(shown.find(" checked"), std::string::npos) << shown;
    EXPECT_EQ(filled_in(schema, "{}", {{"data/", ""}}), parsed(R"({"on": false})"));
}

TEST(SchemaForm, AFieldShowsWhatIsWrongWithinIt) {
    const char* schema = R"({"properties": {"i": {"type": "array", "items": {"type": "object"}},
                                            "it": {"type": "string"}}})";
    const FormFields typed{{"data/i", R"([{"qty": 0}])"}, {"data/it", "x"}};
    const auto html =
        form_html(parsed(schema), parsed("{}"), &typed, {{"/i/0/qty", "must be at least 1"}});
    const char* wrong = "id=\"data/i-wrong\">0/qty: must be at least 1<";
    EXPECT_NE(html.find(wrong), std::string::npos) << html;
    EXPECT_EQ(html.find("data/it-wrong"), std::string::npos) << html;
}

}  // namespace
}  // namespace pawl::api
