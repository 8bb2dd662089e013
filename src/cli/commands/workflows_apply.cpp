#include "cli/commands/commands.hpp"
#include "cli/commands/definitions.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

asio::awaitable<int> apply(
    Door& door, const Globals& globals, const std::vector<DefinitionFile>& files, bool draft
) {
    json::array list;
    std::vector<TableRow> rows;
    for (const auto& [file, definition] : files) {
        const auto applied = co_await door.call(
            {"POST", {"workflows"}, {{"draft", draft ? "true" : ""}}, to_json(definition)}
        );
        if (!applied) co_return report(globals, Error(applied.error()).with("file", file));
        const auto version = number_member(*applied, "version");
        const bool changed = value_member(*applied, "changed").as_bool();
        json::object item;
        item["name"] = definition.name;
        item["version"] = version;
        item["changed"] = changed;
        item["file"] = file;
        list.push_back(std::move(item));
        rows.push_back(
            {definition.name,
             fmt::format("v{}", version),
             changed ? Cell(draft ? "drafted" : "published", Color::green)
                     : Cell("unchanged", Color::dim)}
        );
    }
    if (globals.machine()) {
        print_json_list(globals, list);
    } else {
        print_details(globals, rows);
    }
    co_return exit_ok;
}

}  // namespace

int run_workflows_apply(const WorkflowsApplyOptions& options) {
    const auto files = read_definitions(options.files);
    if (!files) return report(options.globals, files.error());
    if (files->empty()) {
        return report(
            options.globals, {Errc::invalid, "there is no *.yaml, *.yml or *.json in there", {}}
        );
    }
    return with_door(options.globals, [&](Door& door) {
        return apply(door, options.globals, *files, options.draft);
    });
}

}  // namespace pawl::cli
