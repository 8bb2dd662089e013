#pragma once

#include "base/json.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/globals.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// A line of the list.
std::vector<std::string> schedule_columns();
TableRow schedule_row(const json::value& schedule);
// One schedule as the API has it, with its next times and its last runs.
void print_schedule(const Globals& globals, const json::value& schedule);

}  // namespace pawl::cli
