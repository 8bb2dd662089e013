#include "cli/terminal/version.hpp"

#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "store/migrations.gen.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <iterator>

namespace pawl::cli {

namespace {

int run_version(const Globals& globals) {
    const auto schema = std::size(store::migrations);
    if (!globals.machine()) {
        print_line(fmt::format("pawl {} (schema {}, {})", version, schema, __VERSION__));
        return exit_ok;
    }
    json::object document;
    document["version"] = version;
    document["schema"] = schema;
    document["compiler"] = __VERSION__;
    print_json(globals, document);
    return exit_ok;
}

const RegisterCommand<run_version> version_command(
    {"version", 280, "Print the version"}, {{"pawl version -o json"}}
);

}  // namespace

}  // namespace pawl::cli
