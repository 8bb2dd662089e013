#pragma once

#include <string>
#include <string_view>

namespace pawl::workers {

// What a person changed in a draft, line by line: "  kept", "- taken out", "+ put in". Empty when
// nothing was. Pure.
std::string draft_diff(std::string_view before, std::string_view after);

}  // namespace pawl::workers
