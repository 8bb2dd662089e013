#pragma once

#include <cstddef>
#include <string_view>

namespace pawl::steps {

// The byte at `at` of a text in UTF-8 as it is in small letters: of Latin, Greek, Cyrillic and
// Armenian scripts, as far as both letters have the same number of bytes. Other bytes, and text
// that is not UTF-8, stay as they are.
unsigned char folded_at(std::string_view text, std::size_t at);

}  // namespace pawl::steps
