#pragma once

#include <string>
#include <string_view>

namespace pawl {

// A sentence that may quote what a caller typed, for a page or a program that shows it. Characters
// that would turn the rest of it around or break its line are written as \u202e; what is data stays
// as it is.
std::string for_sentence(std::string_view text);

}  // namespace pawl
