#pragma once

#include "cli/terminal/globals.hpp"

#include <string>

namespace pawl::cli {

struct PastOptions {
    std::string source;  // a file with a definition, or the name of a workflow
    std::string since;
    int limit = 10'000;
};

// Replays what came on a definition and prints what would have happened; the exit code.
int simulate_past(const Globals& globals, const PastOptions& options);

}  // namespace pawl::cli
