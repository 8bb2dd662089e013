#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace pawl::embed {

// The numbers of "1.2.0", for comparing; nothing when it is none.
std::optional<std::vector<int>> parse_code_version(std::string_view text);

}  // namespace pawl::embed
