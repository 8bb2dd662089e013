#pragma once

#include "base/json.hpp"
#include "cli/terminal/globals.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pawl::cli {

// Webhooks, or deliveries of one, as the API gives them: a column is a title and a key. Returns the
// exit code.
int print_documents(
    const Globals& globals,
    const json::array& all,
    const std::vector<std::pair<std::string, std::string>>& columns,
    const char* none
);

}  // namespace pawl::cli
