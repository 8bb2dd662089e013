#include "cli/commands/definitions.hpp"
#include "cli/commands/list_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct WorkflowsApplyOptions {
    Globals globals;
    std::vector<std::string> files;  // - is stdin; a folder stands for the definitions in it
    bool draft = false;
};

asio::awaitable<int> apply(
    Door& door, const Globals& globals, const std::vector<DefinitionFile>& files, bool draft
) {
    json::array list;
    std::vector<TableRow> rows;
    for (const auto& [file, definition, layout] : files) {
        json::object body = to_json(definition);
        if (!layout.is_null()) body["layout"] = layout;
        const auto applied = co_await door.call(
            {"POST", {"workflows"}, {{"draft", draft ? "true" : ""}}, std::move(body)}
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
    co_return print_saved(globals, list, rows);
}

int run_workflows_apply(const WorkflowsApplyOptions& options) {
    const auto files = read_some_definitions(options.files);
    if (!files) return report(options.globals, files.error());
    return with_door(options.globals, [&](Door& door) {
        return apply(door, options.globals, *files, options.draft);
    });
}

void add_workflows_apply(App& app, WorkflowsApplyOptions& options) {
    add_definition_files(app, options.files);
    app.add_flag("--draft", options.draft, "Keep them as versions that nothing starts yet");
}

const RegisterGroup workflows_group("workflows", 130, "Publish, check, compare and draw workflows");

const RegisterCommand<run_workflows_apply, add_workflows_apply> workflows_apply_command(
    {"workflows apply", 10, "Publish definitions; the same definition again changes nothing"},
    {{"pawl workflows apply hello.yaml nap.yaml"},
     {"pawl workflows apply -f workflows/", "every definition in the folder"},
     {"generate | pawl workflows apply -f -"}}
);

}  // namespace

}  // namespace pawl::cli
