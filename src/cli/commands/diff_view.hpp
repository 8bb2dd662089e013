#pragma once

#include "cli/terminal/globals.hpp"
#include "model/definition_diff.hpp"

#include <string>

namespace pawl::cli {

// What lies between two definitions, for people.
void print_diff(const Globals& globals, const std::string& title, const DefinitionDiff& diff);

}  // namespace pawl::cli
