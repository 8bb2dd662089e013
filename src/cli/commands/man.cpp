#include "cli/commands/man_page.hpp"
#include "cli/parse/args.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/version.hpp"

namespace pawl::cli {

namespace {

int run_man(const Globals&) {
    print_text(man_page(command_pages(), version));
    return exit_ok;
}

const RegisterCommand<run_man> man_command(
    {"man", 260, "Print the manual page pawl(1)"}, {{"pawl man > pawl.1 && man ./pawl.1"}}
);

}  // namespace

}  // namespace pawl::cli
