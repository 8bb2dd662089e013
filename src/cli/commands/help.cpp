#include "cli/parse/registry.hpp"

namespace pawl::cli {

namespace {

// What follows the word is read before the rest (Parser::parse), so this is never the command that
// was chosen, unless something stands before it. It is here to be seen.
void check_help(const Globals&) {
    throw WrongUse("say it first: pawl help COMMAND");
}

// check_help has refused it by then.
int run_help(const Globals&) {
    return exit_usage;
}

const RegisterCommand<run_help, nullptr, check_help> help_command(
    {"help", 290, "Show the help of a command"},
    {{"pawl help runs list", "the same as pawl runs list --help"}}
);

}  // namespace

}  // namespace pawl::cli
