#include "steps/storable_text.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::steps {
namespace {

TEST(StepText, StorableIsUtf8WithoutNul) {
    for (const std::string_view text :
         {"",
          "plain",
          "\xc2\x80",
          "\xdf\xbf",
          "\xe0\xa0\x80",
          "\xed\x9f\xbf",
          "\xef\xbf\xbf",
          "\xf0\x90\x80\x80",
          "\xf4\x8f\xbf\xbf",
          "caf\xc3\xa9 \xf0\x9f\x98\x80"}) {
        EXPECT_TRUE(is_storable(text)) << text;
    }
    for (const std::string_view text :
         {"\x80",
          "\xc0\x80",
          "\xc1\xbf",
          "\xc3",
          "\xe0\x9f\xbf",
          "\xe2\x82",
          "\xed\xa0\x80",
          "\xf0\x8f\xbf\xbf",
          "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80",
          "\xff",
          "a\xc3(b"}) {
        EXPECT_FALSE(is_storable(text)) << text;
    }
    EXPECT_FALSE(is_storable(std::string_view("a\0b", 3)));
}

TEST(StepText, StorableLooksIntoValues) {
    EXPECT_TRUE(is_storable(boost::json::parse(R"({"a":[1,null,true,"x",{"b":"\u00e9"}]})")));
    EXPECT_FALSE(is_storable(boost::json::parse(R"({"a":[1,{"b":"\u0000"}]})")));
    EXPECT_FALSE(is_storable(boost::json::parse(R"({"a":{"\u0000":1}})")));
}

TEST(StepText, MakesTextStorable) {
    EXPECT_EQ(storable("caf\xc3\xa9", 100), "caf\xc3\xa9");
    EXPECT_EQ(storable("caf\xc3\xa9", 4), "caf") << "not half a character";
    EXPECT_EQ(storable(std::string_view("a\0\xff z", 5), 100), "a?? z");
    EXPECT_EQ(storable("abc", 2), "ab");
}

}  // namespace
}  // namespace pawl::steps
