#pragma once

#include "cli/parse/command_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

// pawl(1) in the language of man: made of the pages of --help, so that it says what they say.
std::string man_page(const std::vector<CommandPage>& pages, std::string_view release);

}  // namespace pawl::cli
