#include "base/exact_json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(ExactJson, RefusesWholeNumbersThatWouldChange) {
    for (const char* text :
         {"18446744073709551617",
          "-9223372036854775809",
          R"({"id": 12345678901234567890123})",
          R"([1.5, "\"", {"a": [123456789012345678901]}])",
          R"({"12345678901234567890123": 1, "x": -12345678901234567890123})"}) {
        EXPECT_TRUE(parse_json(text)) << text;
        const auto parsed = parse_exact_json(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, Errc::invalid);
        EXPECT_NE(parsed.error().message.find("give it as text"), std::string::npos);
    }
    EXPECT_FALSE(parse_exact_json(std::string(300, '7')));
    const auto parsed = parse_exact_json("[18446744073709551617]");
    EXPECT_EQ(
        parsed.error().message,
        "the number 18446744073709551617 cannot be kept exactly; give it as text: "
        "\"18446744073709551617\""
    );
}

TEST(ExactJson, TakesWhatStaysTheSame) {
    for (const char* text :
         {"18446744073709551615",
          "-9223372036854775808",
          "9223372036854775807",
          R"("12345678901234567890123")",
          R"({"a\\":"\\\"12345678901234567890123"})",
          "[]",
          "0",
          "[1,2,3]"}) {
        const auto parsed = parse_exact_json(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_EQ(json::serialize(*parsed), text);
    }
}

// JavaScript writes 1e20 with all its zeros.
TEST(ExactJson, TakesWhatWasADouble) {
    for (const char* text :
         {"100000000000000000000",
          "-123456789012345680000",
          "1000000000000000000000000000000",
          "1e30",
          "12345678901234567890123e1",
          "12345678901234567890.123",
          "0.12345678901234567890123",
          "1.5e-300"}) {
        EXPECT_TRUE(parse_exact_json(text)) << text;
    }
}

TEST(ExactJson, ShortensTheNumbersOfPostgres) {
    const std::string zeros(292, '0');
    EXPECT_EQ(
        with_short_numbers(
            "{\"17976931348623157" + zeros + "\": [-17976931348623157" + zeros + ", 1]}"
        ),
        "{\"17976931348623157" + zeros + "\": [-1.7976931348623157e+308, 1]}"
    );
    EXPECT_EQ(with_short_numbers("0." + std::string(322, '0') + "5"), "5e-323");
    const std::string beyond = "1" + std::string(400, '0');
    EXPECT_EQ(with_short_numbers(beyond), beyond) << "no double holds it";
    for (const char* text : {"\"\\\"1\"", "[]", "-1", "true", "1e5", "\"unended", "-"}) {
        EXPECT_EQ(with_short_numbers(text), text);
    }
}

TEST(ExactJson, WritesNumbersAsPeopleDo) {
    const json::value value{
        {"price", 99.95}, {"list", {1e5, 0.1, -2.5, 1e21, 1.5e-7, 5.0, 0.0}}, {"n", 7}};
    EXPECT_EQ(
        plain_json(value), R"({"price":99.95,"list":[100000,0.1,-2.5,1E21,1.5E-7,5,0],"n":7})"
    );
    EXPECT_EQ(plain_json(json::array{json::object(), json::array(), "a\"b"}), R"([{},[],"a\"b"])");
}

TEST(ExactJson, RefusesWhatIsNoJson) {
    EXPECT_FALSE(parse_exact_json("{\"a\": 1"));
    EXPECT_FALSE(parse_exact_json("1e999"));
}

}  // namespace
}  // namespace pawl
