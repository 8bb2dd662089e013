#include "cli/commands/version.hpp"

#include "cli/commands/registry.hpp"
#include "cli/terminal/console.hpp"
#include "store/migrations.gen.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <iterator>

namespace pawl::cli {

namespace {

struct VersionOptions {
    Globals globals;
};

int run_version(const VersionOptions& options) {
    const auto schema = std::size(store::migrations);
    if (!options.globals.machine()) {
        print_line(fmt::format("pawl {} (schema {}, {})", version, schema, __VERSION__));
        return exit_ok;
    }
    json::object document;
    document["version"] = version;
    document["schema"] = schema;
    document["compiler"] = __VERSION__;
    print_json(options.globals, document);
    return exit_ok;
}

const RegisterCommand<VersionOptions> version_command({
    .words = "version",
    .order = 280,
    .what = "Print the version",
    .examples = {{"pawl version -o json"}},
    .run = run_version,
});

}  // namespace

}  // namespace pawl::cli
