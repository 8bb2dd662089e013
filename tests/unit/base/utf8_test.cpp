#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Utf8, TakesCharactersOneByOne) {
    std::string_view text = "aéก😀";
    EXPECT_EQ(take_character(text), U'a');
    EXPECT_EQ(take_character(text), U'é');
    EXPECT_EQ(take_character(text), U'ก');
    EXPECT_EQ(take_character(text), U'😀');
    EXPECT_TRUE(text.empty());
}

TEST(Utf8, TakesBytesThatAreNone) {
    std::string_view text("\xff\xc3", 2);
    take_character(text);
    EXPECT_EQ(text.size(), 1U);
    take_character(text);
    EXPECT_TRUE(text.empty());
}

TEST(Utf8, ReplacesWhatCannotBeKept) {
    EXPECT_TRUE(is_utf8("é"));
    EXPECT_FALSE(is_utf8(std::string_view("a\0b", 3)));
    EXPECT_FALSE(is_utf8("\xed\xa0\x80"));  // half of a surrogate pair
    EXPECT_EQ(as_utf8("a\xff", 10), "a?");
    EXPECT_EQ(as_utf8("aก", 3), "a");
}

}  // namespace
}  // namespace pawl
