#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// ", did you mean 'attempts'?" when one of `known` is a plausible misspelling of `word`, else
// nothing.
std::string suggest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace pawl
