#include "api/http/definition_schema.hpp"
#include "cli/commands/commands.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

namespace pawl::cli {

int run_schema(const SchemaOptions& options) {
    if (options.globals.machine()) {
        print_json(options.globals, api::definition_schema());
    } else {
        print_line(pretty(api::definition_schema()));
    }
    return exit_ok;
}

}  // namespace pawl::cli
