#include "cli/commands/man_page.hpp"
#include "cli/commands/registry.hpp"
#include "cli/commands/version.hpp"
#include "cli/parse/args.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct ManOptions {
    Globals globals;
};

int run_man(const ManOptions&) {
    print_text(man_page(command_pages(), version));
    return exit_ok;
}

const RegisterCommand<ManOptions> man_command({
    .words = "man",
    .order = 260,
    .what = "Print the manual page pawl(1)",
    .examples = {{"pawl man > pawl.1 && man ./pawl.1"}},
    .run = run_man,
});

}  // namespace

}  // namespace pawl::cli
