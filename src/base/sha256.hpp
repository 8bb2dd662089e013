#pragma once

#include <string>
#include <string_view>

namespace pawl {

// 32 raw bytes.
std::string sha256(std::string_view text);

}  // namespace pawl
