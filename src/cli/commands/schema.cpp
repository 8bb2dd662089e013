#include "api/http/definition_schema.hpp"
#include "cli/commands/registry.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

namespace pawl::cli {

namespace {

struct SchemaOptions {
    Globals globals;
};

int run_schema(const SchemaOptions& options) {
    if (options.globals.machine()) {
        print_json(options.globals, api::definition_schema());
    } else {
        print_line(pretty(api::definition_schema()));
    }
    return exit_ok;
}

const RegisterCommand<SchemaOptions> schema_command({
    .words = "schema",
    .order = 240,
    .what = "Print the JSON Schema of definitions, for editors",
    .examples = {{"pawl schema > pawl.schema.json"}},
    .run = run_schema,
});

}  // namespace

}  // namespace pawl::cli
