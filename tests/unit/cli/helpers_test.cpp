#include "cli/parse/env_file.hpp"
#include "cli/parse/listen_address.hpp"
#include "cli/terminal/columns.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

TEST(ListenAddress, IsHostAndPort) {
    EXPECT_EQ(to_string(parse_listen_address("127.0.0.1:8080").value()), "127.0.0.1:8080");
    EXPECT_EQ(to_string(parse_listen_address(":0").value()), "127.0.0.1:0");
    EXPECT_EQ(to_string(parse_listen_address("[::1]:80").value()), "[::1]:80");
    EXPECT_EQ(parse_listen_address("[::1]:80")->host, "::1");
}

TEST(ListenAddress, AnythingElseIsRefused) {
    for (const char* text :
         {"", "8080", "host", "host:", "host:x", "host:65536", "host:-1", "::1:80", "a b:80"}) {
        EXPECT_FALSE(parse_listen_address(text)) << text;
    }
}

TEST(EnvFile, ReadsWhatAShellReads) {
    const std::string text =
        "# DATABASE_URL=no\nexport DATABASE_URL=one\nX_DATABASE_URL=no\nDATABASE_URL='two'\r\n"
        "PAWL_URL=\"three\"\nEMPTY=\n";
    EXPECT_EQ(env_file_value(text, "DATABASE_URL"), "two");
    EXPECT_EQ(env_file_value(text, "PAWL_URL"), "three");
    EXPECT_EQ(env_file_value(text, "EMPTY"), "");
    EXPECT_EQ(env_file_value(text, "NONE"), std::nullopt);
}

TEST(Text, IsCutBetweenCharacters) {
    EXPECT_EQ(shorten("abc", 3), "abc");
    EXPECT_EQ(shorten("abcd", 3), "ab…");
    EXPECT_EQ(shorten("äöüß", 3), "äö…");
    EXPECT_EQ(width("äöü"), 3u);
}

TEST(Text, CannotMoveTheCursor) {
    EXPECT_EQ(printable("a\x1b[31mb\r\n\tc\x7f"), "a\\u001b[31mb\\u000d  c\\u007f");
    EXPECT_EQ(printable("x\xc2\x9bz"), "x\\u009bz");
    EXPECT_EQ(
        printable("x\xff"
                  "31mz"),
        "x\\xff31mz"
    ) << "no other call can ask for a colour";
    EXPECT_EQ(printable("é ü"), "é ü");
}

TEST(Text, KnowsUtf8) {
    for (const char* text : {"", "plain", "é", "€", "😀"}) EXPECT_TRUE(is_valid_utf8(text)) << text;
    for (const char* text :
         {"\xff", "\xc0\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80"}) {
        EXPECT_FALSE(is_valid_utf8(text));
    }
    EXPECT_FALSE(is_valid_utf8(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace pawl::cli
