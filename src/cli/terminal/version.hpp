#pragma once

#include <string_view>

namespace pawl::cli {

// The same as in CMakeLists.txt; an end-to-end test compares the two.
inline constexpr std::string_view version = "0.1.0";

}  // namespace pawl::cli
