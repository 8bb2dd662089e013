#pragma once

#include "cli/parse/command_line.hpp"
#include "cli/parse/options.hpp"

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

// What --help says, of every command.
std::vector<CommandPage> command_pages();

}  // namespace pawl::cli
