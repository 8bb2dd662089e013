#include "api/http/detail_code.hpp"
#include "api/http/openapi.hpp"
#include "model/problem_code.hpp"
#include "model/schema_words.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(ProblemCodes, AreThoseOfTheDescriptionOfTheApi) {
    const json::value document = openapi();
    const json::array& listed =
        document.at_pointer("/components/schemas/Validation/properties/errors/items/properties")
            .at_pointer("/code/enum")
            .as_array();
    json::array known;
    for (const std::string_view code : problem_codes()) known.emplace_back(code);
    EXPECT_EQ(json::serialize(listed), json::serialize(known));
}

TEST(DetailCodes, AreThoseOfTheDescriptionOfTheApi) {
    const json::value document = openapi();
    const json::array& listed =
        document.at_pointer("/components/schemas/Problem/properties/errors/items/properties")
            .at_pointer("/code/enum")
            .as_array();
    json::array known;
    for (const std::string_view code : detail_codes()) known.emplace_back(code);
    EXPECT_EQ(json::serialize(listed), json::serialize(known));
}

TEST(DetailCodes, HaveTheValuesOfTheirSentence) {
    const auto whole = detail_code("must be a whole number from 1 to 9");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->code, "must_be_whole");
    EXPECT_EQ(whole->values, (SentenceValues{{"least", "1"}, {"most", "9"}}));
    const auto unknown = detail_code("is not known here, did you mean 'name'?");
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->code, "unknown_key");
    EXPECT_EQ(unknown->values, (SentenceValues{{"similar", "name"}}));
    const auto needed = detail_code("is required: the id of a step");
    ASSERT_TRUE(needed);
    EXPECT_EQ(needed->code, "required");
    EXPECT_TRUE(needed->values.empty());
    EXPECT_FALSE(detail_code("is of tomorrow"));
}

// What schemas say of an input is told apart by its sentence too: a new word of theirs needs a
// form.
TEST(DetailCodes, KnowTheWordsOfSchemas) {
    const SchemaWords& words = english_schema_words();
    for (const auto& [_, type] : words.types) {
        if (type != "null") EXPECT_TRUE(detail_code("must be " + std::string(type))) << type;
    }
    for (const auto& [_, format] : words.formats) {
        EXPECT_TRUE(detail_code("must be " + std::string(format))) << format;
    }
}

}  // namespace
}  // namespace pawl::api
