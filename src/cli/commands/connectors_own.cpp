#include "cli/commands/object_file.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

// --- Connectors of the tenant's own

struct ApplyOptions {
    Globals globals;
    std::string file;
};

asio::awaitable<int> apply(Door& door, const Globals& globals, const json::object& definition) {
    const std::string name = member(definition, "name");
    const auto kept = co_await door.call({"PUT", {"connectors", name}, {}, definition});
    if (!kept) co_return report(globals, kept.error());
    if (globals.machine()) {
        print_json(globals, *kept);
    } else {
        print_line(name);
        say(globals, "add an account next: pawl connectors accounts put " + name + " NAME -f FILE");
    }
    co_return exit_ok;
}

int run_apply(const ApplyOptions& options) {
    const auto definition = read_object_file(options.file);
    if (!definition) return report(options.globals, definition.error());
    if (member(*definition, "name").empty()) {
        return report(options.globals, {Errc::invalid, options.file + ": name: is missing", {}});
    }
    return with_door(options.globals, [&](Door& door) {
        return apply(door, options.globals, *definition);
    });
}

void add_apply(App& app, ApplyOptions& options) {
    add_file(app, options.file, "The connector, in YAML or JSON; - is stdin");
}

struct DeleteOptions {
    Globals globals;
    std::string name;
};

asio::awaitable<int> remove(Door& door, const DeleteOptions& options) {
    const auto done = co_await door.call({"DELETE", {"connectors", options.name}});
    if (!done) co_return report(options.globals, done.error());
    if (options.globals.machine()) {
        print_json(options.globals, *done);
    } else {
        print_line(options.name);
    }
    co_return exit_ok;
}

int run_delete(const DeleteOptions& options) {
    return with_door(options.globals, [&](Door& door) { return remove(door, options); });
}

void add_delete(App& app, DeleteOptions& options) {
    app.add_option("CONNECTOR", options.name, "Name of a connector of your own")
        ->required()
        ->type_name("");
}

const RegisterCommand<run_apply, add_apply> connectors_apply_command(
    {"connectors apply", 12, "Add or replace a connector of your own"},
    {{"pawl connectors apply -f pigeon.yaml"}}
);

const RegisterCommand<run_delete, add_delete> connectors_delete_command(
    {"connectors delete", 14, "Delete a connector of your own"}, {{"pawl connectors delete pigeon"}}
);

}  // namespace

}  // namespace pawl::cli
