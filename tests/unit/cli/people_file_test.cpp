#include "cli/commands/people_file.hpp"

#include "cli/parse/csv.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

TEST(Csv, QuotedFieldsHoldAnything) {
    const auto rows = read_csv(
        "\xef\xbb\xbf"
        "a,b\r\n\"x, \"\"y\"\"\nz\",\r\n\r\nlast,\"\""
    );
    ASSERT_TRUE(rows);
    EXPECT_EQ(*rows, (std::vector<CsvRow>{{"a", "b"}, {"x, \"y\"\nz", ""}, {"last", ""}}));
}

TEST(Csv, AQuoteThatDoesNotEndIsNamedWithItsLine) {
    const auto rows = read_csv("a\n\"b\nc");
    ASSERT_FALSE(rows);
    EXPECT_NE(rows.error().message.find("line 2"), std::string::npos) << rows.error().message;
    EXPECT_FALSE(read_csv("\"a\"b"));
    EXPECT_TRUE(read_csv("")->empty());
}

TEST(PeopleFile, ColumnsAreAddressesOrAttributes) {
    const auto people = people_from_csv(
        "id,email,phone,address.fax,locale,first_name,tier\n"
        "1,ann@example.com,+66812345678,99,th,Ann,\n2,,,,,Bob,gold\n"
    );
    ASSERT_TRUE(people) << people.error().message;
    EXPECT_EQ(
        json::serialize(*people),
        R"([{"key":"1","addresses":{"email":"ann@example.com","sms":"+66812345678","fax":"99"},)"
        R"("locale":"th","attributes":{"first_name":"Ann"}},)"
        R"({"key":"2","attributes":{"first_name":"Bob","tier":"gold"}}])"
    );
}

TEST(PeopleFile, WhatIsWrongNamesTheRow) {
    const auto message = [](std::string_view text) {
        const auto people = people_from_csv(text);
        return people ? std::string() : people.error().message;
    };
    EXPECT_NE(message("").find("empty"), std::string::npos);
    EXPECT_NE(message("name\nAnn").find("key or id"), std::string::npos);
    EXPECT_NE(message("key,a\n1,2\n3").find("row 2"), std::string::npos);
    EXPECT_NE(message("key,a\n,2").find("row 1 has no key"), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
