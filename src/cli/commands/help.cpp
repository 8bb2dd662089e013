#include "cli/commands/registry.hpp"

namespace pawl::cli {

namespace {

struct HelpOptions {
    Globals globals;
};

// What follows the word is read before the rest (Parser::parse), so this is never the command that
// was chosen, unless something stands before it. It is here to be seen.
void check_help(const HelpOptions&) {
    throw WrongUse("say it first: pawl help COMMAND");
}

const RegisterCommand<HelpOptions> help_command({
    .words = "help",
    .order = 290,
    .what = "Show the page of a command",
    .examples = {{"pawl help runs list", "the same as pawl runs list --help"}},
    .check = check_help,
});

}  // namespace

}  // namespace pawl::cli
