#include "base/terminal.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Terminal, ShowsWhatItWouldActOn) {
    EXPECT_EQ(for_terminal("plain é 漢 🙂\n\tx"), "plain é 漢 🙂\n\tx");
    EXPECT_EQ(for_terminal("\x1b[2J\r\a"), "\\u001b[2J\\u000d\\u0007");
    EXPECT_EQ(for_terminal("\x7f\xc2\x9b"), "\\u007f\\u009b") << "CSI of eight bits";
    EXPECT_EQ(
        for_terminal("\xe2\x80\xae"
                     "txt.exe \xe2\x81\xa6 \xd8\x9c \xe2\x80\x8f \xe2\x80\xa8"),
        "\\u202etxt.exe \\u2066 \\u061c \\u200f \\u2028"
    );
}

TEST(Terminal, BytesThatAreNotTextAreShown) {
    EXPECT_EQ(for_terminal("a\x9b"), "a\\x9b");
    EXPECT_EQ(for_terminal("\xe2\x80"), "\\xe2\\x80");
    EXPECT_EQ(for_terminal("\xc0\x9b"), "\\xc0\\x9b") << "an overlong form of ESC";
}

TEST(Terminal, OnlyItsOwnColoursBecomeEscapeSequences) {
    const std::string own = std::string(1, color_mark) + "31mred" + color_mark + "0m";
    EXPECT_EQ(with_colors(for_terminal(own)), "\x1b[31mred\x1b[0m");
    EXPECT_EQ(with_colors(for_terminal("\x1b[31mred")), "\\u001b[31mred");
}

}  // namespace
}  // namespace pawl
