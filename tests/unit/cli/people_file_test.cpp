#include "cli/commands/people_file.hpp"

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
    std::vector<std::vector<std::string>> cells;
    std::vector<int> lines;
    for (const CsvRow& row : *rows) {
        cells.push_back(row.cells);
        lines.push_back(row.line);
    }
    EXPECT_EQ(
        cells,
        (std::vector<std::vector<std::string>>{{"a", "b"}, {"x, \"y\"\nz", ""}, {"last", ""}})
    );
    EXPECT_EQ(lines, (std::vector<int>{1, 2, 5}));
}

TEST(Csv, AQuoteThatDoesNotEndIsNamedWithItsLine) {
    const auto rows = read_csv("a\n\"b\nc");
    ASSERT_FALSE(rows);
    EXPECT_NE(rows.error().message.find("line 2"), std::string::npos) << rows.error().message;
    EXPECT_FALSE(read_csv("\"a\"b"));
    EXPECT_TRUE(read_csv("")->empty());
}

TEST(Csv, SemicolonsAndTabsSeparateAsWell) {
    const auto semicolons = read_csv("key;\"a,b,c\";d\n1;2,5;\"x;y\"\n;;\n");
    ASSERT_TRUE(semicolons);
    ASSERT_EQ(semicolons->size(), 2U) << "a row without a value is none";
    EXPECT_EQ((*semicolons)[0].cells, (std::vector<std::string>{"key", "a,b,c", "d"}));
    EXPECT_EQ((*semicolons)[1].cells, (std::vector<std::string>{"1", "2,5", "x;y"}));
    EXPECT_EQ(read_csv("key\tname\n1\tAnn, B.\n")->at(1).cells.at(1), "Ann, B.");
}

TEST(Csv, WhatIsWrittenIsReadAgain) {
    const std::vector<std::string> cells{"", "a, \"b\"", "c\r\nd", "ลูกค้า"};
    const auto rows = read_csv(csv_line(cells) + csv_line({"x"}));
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].cells, cells);
    EXPECT_EQ((*rows)[1].cells, std::vector<std::string>{"x"});
}

TEST(PeopleFile, ColumnsAreAddressesOrAttributes) {
    const auto file = PeopleFile::read(
        "id,email,phone,address.fax,locale,first_name,tier\n"
        "1,ann@example.com,+66812345678,99,th,Ann,\n2,,,,,Bob,gold\n"
    );
    ASSERT_TRUE(file) << file.error().message;
    json::array people;
    for (const CsvRow& row : file->rows()) people.push_back(file->person(row).value());
    EXPECT_EQ(
        json::serialize(people),
        R"([{"key":"1","addresses":{"email":"ann@example.com","sms":"+66812345678","fax":"99"},)"
        R"("locale":"th","attributes":{"first_name":"Ann"}},)"
        R"({"key":"2","attributes":{"first_name":"Bob","tier":"gold"}}])"
    );
}

TEST(PeopleFile, WhatIsWrongWithTheFileOrARowIsSaid) {
    const auto message = [](std::string_view text) {
        const auto file = PeopleFile::read(text);
        if (!file) return file.error().message;
        const auto person = file->person(file->rows().back());
        return person ? std::string() : person.error().message;
    };
    EXPECT_NE(message("").find("empty"), std::string::npos);
    EXPECT_NE(message("name\nAnn").find("key or id"), std::string::npos);
    EXPECT_EQ(message("key,a\n1,2\n3"), "has 1 field, the first line names 2");
    EXPECT_EQ(message("key,a\n,2"), "has no key");
    EXPECT_EQ(message("key,a\n1,2"), "");
    EXPECT_EQ(
        message("key,phone,sms\n1,2,3"),
        "the columns 'phone' and 'sms' become the same: leave one out"
    );
    EXPECT_NE(message("key,name\n1,Z\xfcrich").find("UTF-8"), std::string::npos);
}

TEST(PeopleFile, NamesOfColumnsMayBeInAnyCaseAndAColumnMayHaveNone) {
    const auto file =
        PeopleFile::read("Key,Email,,Tier,Address.Fax\n1,ann@example.com,x,gold,99\n");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(
        json::serialize(file->person(file->rows()[0]).value()),
        R"({"key":"1","addresses":{"email":"ann@example.com","Fax":"99"},)"
        R"("attributes":{"Tier":"gold"}})"
    );
}

TEST(PeopleFile, WhatAnEarlierImportSaidIsPassedOver) {
    const auto file = PeopleFile::read("problem,key,name\nline 2: no,1,Ann\n");
    ASSERT_TRUE(file);
    EXPECT_EQ(
        json::serialize(file->person(file->rows()[0]).value()),
        R"({"key":"1","attributes":{"name":"Ann"}})"
    );
    const auto other = PeopleFile::read("key,problem\n1,mine\n");
    ASSERT_TRUE(other);
    EXPECT_EQ(
        json::serialize(other->person(other->rows()[0]).value()),
        R"({"key":"1","attributes":{"problem":"mine"}})"
    );
}

}  // namespace
}  // namespace pawl::cli
