#include "base/base64url.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Base64Url, VectorsOfRfc4648) {
    const std::pair<std::string, std::string> vectors[] = {
        {"", ""},
        {"f", "Zg"},
        {"fo", "Zm8"},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg"},
        {"fooba", "Zm9vYmE"},
        {"foobar", "Zm9vYmFy"},
        {"\xff\xef\xbe", "_---"},
    };
    for (const auto& [bytes, text] : vectors) {
        EXPECT_EQ(to_base64url(bytes), text);
        EXPECT_EQ(from_base64url(text), bytes);
    }
}

TEST(Base64Url, EveryByteComesBack) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) {
        bytes += static_cast<char>(i);
        EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes);
    }
}

TEST(Base64Url, RefusesOtherSpellings) {
    for (const char* text : {"Z", "Zg==", "Zg=", "Zh", "Zm9", "Zm 8", "Zm8\n", "Zm+/", "Zm8\xc3"}) {
        EXPECT_FALSE(from_base64url(text)) << text;
    }
}

}  // namespace
}  // namespace pawl
