#pragma once

#include "cli/options.hpp"

#include <optional>

namespace pawl::cli {

// Either a command to run, or what was asked for is done (help) or refused, with the exit code.
struct Parsed {
    std::optional<Command> command;
    int exit_code = exit_ok;
};

Parsed parse_args(int argc, char** argv);

// Every command that does something, by its words: "runs list".
std::vector<std::string> command_names();

}  // namespace pawl::cli
