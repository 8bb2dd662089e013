#include "base/json.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// One such value in a commit would be refused by the database together with everything else in it.
TEST(ParseJson, RefusesWhatCannotBeStored) {
    for (const char* text : {"1e999", "[-1e999]", R"({"a": {"b": 1e400}})"}) {
        const auto parsed = parse_json(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().message, "invalid JSON: a number is out of range");
    }
    EXPECT_FALSE(parse_json(R"({"a": "x\u0000"})"));
    EXPECT_FALSE(parse_json(R"({"x\u0000": 1})"));
    EXPECT_TRUE(parse_json(R"([1e308, -1e308, 1e-999, "1e999"])"));
    // As Postgres writes the largest double.
    const auto largest = parse_json("[17976931348623157" + std::string(292, '0') + "]");
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest->at(0).as_double(), 1.7976931348623157e308);
    EXPECT_FALSE(parse_json("[1e999, 17976931348623157" + std::string(292, '0') + "]"));
    EXPECT_FALSE(parse_json("[17976931348623159" + std::string(292, '0') + "]"));
}

// A loop may put its result into the next one, round after round.
TEST(Storable, IsWhatCanBeReadAgain) {
    json::value nested = 1;
    for (int i = 0; i < 400; ++i) nested = json::array{std::move(nested)};
    EXPECT_TRUE(is_storable(nested));
    nested = json::array{std::move(nested)};
    EXPECT_FALSE(is_storable(nested));
}

TEST(ParseJson, LimitsDepth) {
    EXPECT_TRUE(parse_json(std::string(60, '[') + std::string(60, ']')));
    EXPECT_FALSE(parse_json(std::string(100, '[') + std::string(100, ']')));
}

}  // namespace
}  // namespace pawl
