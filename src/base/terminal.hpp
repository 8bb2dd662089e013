#pragma once

#include <string>
#include <string_view>

namespace pawl {

// Whether a terminal would act on this character instead of showing it: control characters, and
// those that turn the direction of what follows.
bool is_terminal_control(char32_t code);

// Text for a terminal: whatever would move the cursor, forge a line or turn the text around is
// written as \u001b, which in JSON means the same. Line feeds and tabs stay; bytes that are not
// UTF-8 become \x9b.
std::string for_terminal(std::string_view text);

// Where the colour of our own begins and ends: a byte that no UTF-8 text has, so that nothing from
// outside can stand for it. with_colors() makes it an escape sequence.
inline constexpr char color_mark = '\xff';
std::string with_colors(std::string text);

}  // namespace pawl
