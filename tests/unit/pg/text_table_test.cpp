#include "pg/text_table.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl::pg {
namespace {

std::string text(std::uint32_t type, std::string_view value) {
    return boost::json::serialize(to_json(type, value));
}

TEST(TextTable, PlainValues) {
    EXPECT_EQ(text(16, "t"), "true");
    EXPECT_EQ(text(16, "f"), "false");
    EXPECT_EQ(text(23, "-7"), "-7");
    EXPECT_EQ(text(20, "9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(text(25, "7"), "\"7\"");
    EXPECT_EQ(text(2950, "a-b"), "\"a-b\"");
    EXPECT_EQ(text(99999, "anything"), "\"anything\"");
}

TEST(TextTable, NumbersWithAndWithoutAFraction) {
    EXPECT_EQ(to_json(1700, "12.30"), boost::json::value(12.3));
    EXPECT_EQ(text(1700, "12"), "12");
    EXPECT_EQ(text(1700, "98765432109876543210"), "\"98765432109876543210\"");
    EXPECT_EQ(text(1700, "NaN"), "\"NaN\"");
    EXPECT_EQ(to_json(701, "-1e-7"), boost::json::value(-1e-7));
    EXPECT_EQ(text(701, "Infinity"), "\"Infinity\"");
    EXPECT_EQ(text(701, "-Infinity"), "\"-Infinity\"");
}

TEST(TextTable, TimesAsIso8601) {
    EXPECT_EQ(text(1184, "2024-05-01 10:00:00.5+02"), "\"2024-05-01T10:00:00.5+02:00\"");
    EXPECT_EQ(text(1184, "2024-05-01 10:00:00-03:30"), "\"2024-05-01T10:00:00-03:30\"");
    EXPECT_EQ(text(1184, "infinity"), "\"infinity\"");
    EXPECT_EQ(text(1114, "2024-05-01 10:00:00"), "\"2024-05-01T10:00:00\"");
    EXPECT_EQ(text(1082, "2024-05-01"), "\"2024-05-01\"");
}

TEST(TextTable, JsonStaysJson) {
    EXPECT_EQ(text(3802, R"({"a": [1, null]})"), R"({"a":[1,null]})");
    EXPECT_EQ(text(114, "7"), "7");
    // json, unlike jsonb, may hold what we cannot store.
    EXPECT_EQ(text(114, R"("\u0000")"), R"("\"\\u0000\"")");
}

TEST(TextTable, ArraysAreLists) {
    EXPECT_EQ(text(1007, "{1,NULL,-3}"), "[1,null,-3]");
    EXPECT_EQ(
        text(1009, R"({a,"b \"c\" \\ , {}","NULL",NULL,""})"),
        R"(["a","b \"c\" \\ , {}","NULL",null,""])"
    );
    EXPECT_EQ(text(1007, "{{1,2},{3,4}}"), "[[1,2],[3,4]]");
    EXPECT_EQ(text(1007, "[0:1]={5,6}"), "[5,6]");
    EXPECT_EQ(text(1009, "{}"), "[]");
    EXPECT_EQ(text(1000, "{t,f}"), "[true,false]");
    EXPECT_EQ(text(3807, R"({"{\"a\": 1}"})"), R"([{"a":1}])");
}

TEST(TextTable, WhatIsNoArrayStaysText) {
    for (const char* odd : {"", "{", "{1", "{1,", "}", "{1}x", "[0:1]", "{{{{{{{1}}}}}}}", "{\""}) {
        EXPECT_TRUE(to_json(1007, odd).is_string()) << odd;
    }
}

TEST(TextTable, RowsAreObjects) {
    TextTable table;
    table.columns = {{"id", 23}, {"name", 25}};
    table.rows = {{"1", "Ann"}, {"2", std::nullopt}};
    EXPECT_EQ(
        boost::json::serialize(to_json(table)), R"([{"id":1,"name":"Ann"},{"id":2,"name":null}])"
    );
}

}  // namespace
}  // namespace pawl::pg
