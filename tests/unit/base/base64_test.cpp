#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Base64, WritesAndReadsEachPadding) {
    for (const auto& [bytes, text] : std::initializer_list<std::pair<const char*, const char*>>{
             {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
        EXPECT_EQ(to_base64(bytes), text);
        EXPECT_EQ(from_base64(text), bytes);
    }
    EXPECT_EQ(to_base64(""), "");
}

TEST(Base64, RefusesWhatIsNone) {
    for (const char* wrong : {"", "Z", "Zg", "Zg=", "!!!!", "Zm9vZ"})
        EXPECT_FALSE(from_base64(wrong)) << wrong;
}

}  // namespace
}  // namespace pawl
