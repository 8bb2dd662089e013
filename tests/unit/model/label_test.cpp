#include "model/label.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Label, NamesOfAllScriptsAreFine) {
    for (const char* name : {
             "Welcome",
             " order 7 ",
             "<b>' ; --",
             "ทีม CRM",
             "مرحبا",
             "می\u200cخواهم",                     // Persian needs the joiners,
             "👩\u200d👩\u200d👧",                // and so do families
             "🏴\U000e0067\U000e0062\U000e007f",  // and the flag of a country
             "❤\ufe0f",
             "e\u0301",
             "\u00a0x\u3000",
         }) {
        EXPECT_EQ(label_problem(name), "") << name;
    }
}

TEST(Label, SomethingMustBeSeen) {
    const std::string unseen = "must have a character that can be seen";
    for (const char* name : {
             "",
             " ",
             "\u00a0\u2003\u3000",
             "\u200b",
             "\u200c\u200d",
             "\u00ad\u2060\ufe0f",
             "\u115f\u1160\u3164\uffa0",
             "\u2800",
             "\U000e0020\U000e007f",
         }) {
        EXPECT_EQ(label_problem(name), unseen) << name;
    }
}

TEST(Label, NothingTurnsOrBreaksWhatStandsBeside) {
    const std::pair<const char*, const char*> cases[] = {
        {"\u202egnp.exe", "U+202E"},
        {"a\u2066b\u2069", "U+2066"},
        {"a\u200f", "U+200F"},
        {"\u061c", "U+061C"},
        {"one\u2028two", "U+2028"},
        {"one\ntwo", "U+000A"},
        {"tab\t", "U+0009"},
        {"\x1b[2J", "U+001B"},
        {"\u0085", "U+0085"},
        {"\ufeffname", "U+FEFF"},
    };
    for (const auto& [name, character] : cases) {
        EXPECT_EQ(
            label_problem(name),
            std::string("must not have ") + character +
                ": leave out what controls the text and is not seen"
        );
    }
    EXPECT_EQ(label_problem("a\xff"), "must be text in UTF-8");
    EXPECT_EQ(label_problem(std::string_view("a\0b", 3)), "must be text in UTF-8");
}

}  // namespace
}  // namespace pawl
