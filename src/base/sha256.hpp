#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace pawl {

// 32 raw bytes.
std::string sha256(std::string_view text);
// The same of parts that follow each other.
std::string sha256(std::initializer_list<std::string_view> parts);

}  // namespace pawl
