#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

// Text that Postgres can keep: valid UTF-8 without U+0000.
bool is_utf8(std::string_view text);

// `text` with what is not such text replaced by '?', and cut to `bytes_max` between characters.
std::string as_utf8(std::string_view text, std::size_t bytes_max);

// How many bytes the character at the start of `text` takes; 0 when it is not valid UTF-8
// (overlong, surrogate, beyond U+10FFFF, cut off) or is U+0000.
std::size_t character_bytes(std::string_view text);

// The character at the start of `text`, which is_utf8 holds for, taken off it.
char32_t take_character(std::string_view& text);

}  // namespace pawl
