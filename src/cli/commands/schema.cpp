#include "api/http/definition_schema.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

namespace pawl::cli {

namespace {

int run_schema(const Globals& globals) {
    if (globals.machine()) {
        print_json(globals, api::definition_schema());
    } else {
        print_line(pretty(api::definition_schema()));
    }
    return exit_ok;
}

const RegisterCommand<run_schema> schema_command(
    {"schema", 240, "Print the JSON Schema of definitions, for editors"},
    {{"pawl schema > pawl.schema.json"}}
);

}  // namespace

}  // namespace pawl::cli
