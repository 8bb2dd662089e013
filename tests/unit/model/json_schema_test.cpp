#include "model/json_schema.hpp"

#include "base/clock.hpp"
#include "base/json.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

json::value parsed(std::string_view text) {
    return parse_json(text).value();
}

// "pointer message" of every problem, one a line.
std::string problems(std::string_view schema, std::string_view document) {
    std::string lines;
    for (const SchemaProblem& problem : check_document(parsed(schema), parsed(document))) {
        lines += problem.pointer + " " + problem.message + "\n";
    }
    return lines;
}

TEST(JsonSchema, AFormThatIsFilledInHasNoProblems) {
    EXPECT_EQ(
        problems(
            R"({"type": "object", "required": ["amount"], "additionalProperties": false,
                "properties": {"amount": {"type": "number", "minimum": 0},
                               "note": {"type": ["string", "null"]}}})",
            R"({"amount": 12.5, "note": null})"
        ),
        ""
    );
}

TEST(JsonSchema, EverythingThatIsWrongIsNamed) {
    EXPECT_EQ(
        problems(
            R"({"type": "object", "required": ["amount", "who"], "additionalProperties": false,
                "properties": {"amount": {"type": "integer", "minimum": 1, "maximum": 100},
                               "tags": {"type": "array", "items": {"enum": ["a", "b"]},
                                        "maxItems": 2}}})",
            R"({"amount": 0, "tags": ["a", "c", 1], "amuont": 3})"
        ),
        "/who is required\n"
        "/amount must be at least 1\n"
        "/tags must have at most 2 items\n"
        "/tags/1 must be one of \"a\", \"b\"\n"
        "/tags/2 must be one of \"a\", \"b\"\n"
        "/amuont is not asked for, did you mean 'amount'?\n"
    );
}

TEST(JsonSchema, MessagesStayShortWhateverTheFormIs) {
    json::array choices;
    for (int i = 0; i < 75'000; ++i) choices.emplace_back("choice-" + std::to_string(i));
    json::array given(60, json::value("none of them"));
    const json::value schema = json::object{
        {"items", json::object{{"enum", std::move(choices)}}}, {"const", std::string(9000, 'x')}};
    std::size_t bytes = 0;
    const auto found = check_document(schema, given);
    for (const SchemaProblem& problem : found) {
        bytes += problem.pointer.size() + problem.message.size();
    }
    EXPECT_LE(bytes, 50 * 400);
    EXPECT_EQ(found.at(0).message, "must be \"" + std::string(200, 'x') + "...\"");
    EXPECT_TRUE(found.at(1).message.starts_with("must be one of \"choice-0\", \"choice-1\", "));
    EXPECT_TRUE(found.at(1).message.ends_with(" more")) << found.at(1).message;
}

TEST(JsonSchema, PointersStayShortWhateverTheKeysAre) {
    const std::string key(300'000, 'k');
    const json::value schema = json::object{
        {"properties",
         json::object{{key, json::object{{"items", json::object{{"type", "string"}}}}}}}};
    const auto found =
        check_document(schema, json::object{{key, json::array(100'000, json::value("fine"))}});
    EXPECT_TRUE(found.empty());
    const auto wrong =
        check_document(schema, json::object{{key, json::array(100'000, json::value(1))}});
    ASSERT_EQ(wrong.size(), 50);
    EXPECT_EQ(wrong.at(49).pointer, "/" + std::string(500, 'k') + "...");
}

TEST(JsonSchema, Types) {
    EXPECT_EQ(problems(R"({"type": "integer"})", "1.5"), " must be an integer\n");
    EXPECT_EQ(problems(R"({"type": "integer"})", "2.0"), "");
    EXPECT_EQ(problems(R"({"type": "string"})", "1"), " must be a text\n");
    EXPECT_EQ(problems(R"({"type": ["boolean", "null"]})", "1"), " must be a boolean or null\n");
    // What is of another type is told that, and nothing that follows from it.
    EXPECT_EQ(problems(R"({"type": "string", "enum": ["x"]})", "1"), " must be a text\n");
}

TEST(JsonSchema, Numbers) {
    EXPECT_EQ(problems(R"({"exclusiveMinimum": 0})", "0"), " must be more than 0\n");
    EXPECT_EQ(problems(R"({"exclusiveMaximum": 5})", "5"), " must be less than 5\n");
    EXPECT_EQ(problems(R"({"maximum": 5})", "6"), " must be at most 5\n");
    EXPECT_EQ(problems(R"({"multipleOf": 0.01})", "0.07"), "");
    EXPECT_EQ(problems(R"({"multipleOf": 0.01})", "0.075"), " must be a multiple of 0.01\n");
}

// 2^53 and one more are the same double.
TEST(JsonSchema, NumbersAreComparedByWhatTheyAreWorth) {
    EXPECT_EQ(problems(R"({"enum": [1]})", "1.0"), "");
    EXPECT_EQ(problems(R"({"const": {"a": [1.0]}})", R"({"a": [1]})"), "");
    EXPECT_EQ(
        problems(R"({"maximum": 9007199254740992})", "9007199254740993"),
        " must be at most 9007199254740992\n"
    );
}

TEST(JsonSchema, Texts) {
    EXPECT_EQ(problems(R"({"minLength": 1})", R"("")"), " must not be empty\n");
    // Characters, not bytes.
    EXPECT_EQ(problems(R"({"maxLength": 3})", R"("äöü")"), "");
    EXPECT_EQ(problems(R"({"maxLength": 2})", R"("äöü")"), " must have at most 2 characters\n");
    EXPECT_EQ(problems(R"({"pattern": "^[A-Z]{2}$"})", R"("AB")"), "");
    EXPECT_EQ(problems(R"({"pattern": "^[A-Z]{2}$"})", R"("ABC")"), " must match ^[A-Z]{2}$\n");
}

TEST(JsonSchema, Formats) {
    const std::pair<const char*, std::pair<const char*, const char*>> cases[] = {
        {"date", {"2026-02-28", "2026-02-30"}},
        {"date-time", {"2026-01-31T09:00:00Z", "2026-01-31 09:00"}},
        {"time", {"09:30", "25:00"}},
        {"email", {"ann@example.com", "ann@example"}},
        {"uri", {"https://example.com/a?b", "example.com"}},
        {"uuid", {"0190c5d0-0000-7000-8000-000000000000", "0190c5d0"}},
    };
    for (const auto& [format, texts] : cases) {
        const json::object schema{{"format", format}};
        EXPECT_TRUE(check_document(schema, json::value(texts.first)).empty()) << texts.first;
        EXPECT_EQ(check_document(schema, json::value(texts.second)).size(), 1u) << texts.second;
    }
}

TEST(JsonSchema, TimesAreWrittenInFull) {
    const auto fits = [](const char* format, const char* text) {
        return check_document(json::object{{"format", format}}, json::value(text)).empty();
    };
    for (const char* text :
         {"2026-01-31T09:00:00.123456Z", "2026-01-31 09:00:00+07:00", "2024-02-29T23:59:59z"}) {
        EXPECT_TRUE(fits("date-time", text)) << text;
    }
    for (const char* text :
         {"2026-1-31T09:00:00Z",
          "2026-01-31T9:00:00Z",
          "2026-01-31T09:00:60Z",
          "2026-01-31T09:00:00.Z",
          "2026-01-31T09:00:00.1234567Z",
          "2026-01-31T09:00:00",
          "2026-01-31T09:00:00+7:00",
          "2023-02-29T09:00:00Z"}) {
        EXPECT_FALSE(fits("date-time", text)) << text;
    }
    for (const char* text : {"09:30", "09:30:15", "09:30:15.5Z", "09:30:15-03:30"}) {
        EXPECT_TRUE(fits("time", text)) << text;
    }
    for (const char* text : {"9:30", "24:00", "09:30Z", "09:30:15.5"}) {
        EXPECT_FALSE(fits("time", text)) << text;
    }
}

TEST(JsonSchema, ProblemsAreLimited) {
    json::array many(1000, "x");
    EXPECT_EQ(check_document(parsed(R"({"items": {"type": "number"}})"), many).size(), 50u);
}

TEST(JsonSchema, ASchemaThatIsNotUnderstoodIsRefused) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"type": "nubmer"})",
         "/type: must be one of object, array, string, number, integer, boolean, null"},
        {R"({"properties": {"a": {"minimun": 1}}})",
         "/properties/a/minimun: is not understood, did you mean 'minimum'?"},
        {R"({"items": {"pattern": "("}})", "/items/pattern: "},
        {R"({"format": "phone"})", "/format: must be date"},
        {R"({"required": "a"})", "/required: must be a list"},
        {R"({"properties": {"a": {"enum": []}}})",
         "/properties/a/enum: must have at least one value"},
        {R"({"items": {"type": []}})", "/items/type: must have at least one type"},
        {R"({"required": ["a", 1]})", "/required: must be a list of names"},
        {R"({"additionalProperties": {}})", "/additionalProperties: must be true or false"},
        {R"({"minLength": "1"})", "/minLength: must be a number"},
        {R"({"oneOf": []})", "/oneOf: is not understood"},
        {R"({"properties": []})", "/properties: must be an object"},
        {R"("text")", ": must be a JSON Schema"},
    };
    for (const auto& [schema, message] : cases) {
        const auto checked = check_schema(parsed(schema));
        ASSERT_FALSE(checked) << schema;
        EXPECT_TRUE(checked.error().message.starts_with(message)) << checked.error().message;
    }
    EXPECT_TRUE(check_schema(parsed(
        R"({"title": "t", "type": "object", "x-order": 1,
            "properties": {"a": {"type": "string", "default": "", "format": "date"}, "b": true}})"
    )));
}

// The API checks documents on the thread that serves all callers.
TEST(JsonSchema, ACheckHasAnEnd) {
    json::array choices, values;
    for (int i = 0; i < 50'000; ++i) choices.push_back(i);
    for (int i = 0; i < 50'000; ++i) values.push_back(49'999);
    const json::value schema{{"items", {{"enum", choices}}}};
    const auto begun = Steady::now();
    const auto found = check_document(schema, values);
    EXPECT_LT(Steady::now() - begun, std::chrono::seconds(2));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message, "is too long to be checked from here on");

    const json::value pattern{{"items", {{"pattern", "^(a|b|c){1,30}[0-9]{1,30}$"}}}};
    EXPECT_TRUE(check_document(pattern, json::array(20'000, "abc123")).empty());
    EXPECT_EQ(check_document(pattern, json::array(100'000, "abc123")).size(), 1U);
    EXPECT_LT(Steady::now() - begun, std::chrono::seconds(10));
}

}  // namespace
}  // namespace pawl
