#pragma once

#include "cli/terminal/globals.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// "unknown option '--limt', did you mean '--limit'?"
std::string unknown(
    const std::string& kind, const std::string& word, const std::vector<std::string>& known
);

// The output format of a command line that could not be parsed: its errors should come in it too.
OutputFormat guess_output(int argc, char** argv);

}  // namespace pawl::cli
