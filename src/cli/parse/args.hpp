#pragma once

#include "cli/parse/registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

// A command with what it was given.
struct Invocation {
    Globals globals;
    CommandAction act;
};

// Either a command to run, or what was asked for is done (help) or refused, with the exit code.
struct Parsed {
    std::optional<Invocation> command;
    int exit_code = exit_ok;
};

Parsed parse_args(int argc, char** argv);

// Every command that does something, by its words: "runs list".
std::vector<std::string> command_names();

// What --help says, of every command.
std::vector<CommandPage> command_pages();

}  // namespace pawl::cli
