#include "base/json.hpp"
#include "cli/commands/definitions.hpp"
#include "cli/commands/diff_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "model/definition_diff.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

// One definition against the published one.
struct Compared {
    std::string file;
    std::string name;
    std::optional<std::int32_t> version;  // none: it is not published yet
    DefinitionDiff diff;
};

json::object to_json(const Compared& compared) {
    json::object item{{"name", compared.name}, {"file", compared.file}};
    item["version"] = compared.version ? json::value(*compared.version) : json::value();
    item["same"] = compared.version && compared.diff.empty();
    item["diff"] = to_json(compared.diff);
    return item;
}

asio::awaitable<int> compare(
    Door& door, const Globals& globals, const std::vector<DefinitionFile>& files
) {
    json::array list;
    bool same = true;
    for (const auto& [file, definition, layout] : files) {
        Compared compared{file, definition.name, std::nullopt, {}};
        const auto published = co_await door.call({"GET", {"workflows", definition.name}});
        if (!published && published.error().code != Errc::not_found) {
            co_return report(globals, published.error());
        }
        Definition before;
        if (published) {
            auto read = definition_from_json(value_member(*published, "definition"));
            if (!read) co_return report(globals, read.error());
            before = std::move(*read);
            compared.version = static_cast<std::int32_t>(number_member(*published, "version"));
        } else {
            before.name = definition.name;
        }
        compared.diff = diff(before, definition);
        const bool equal = compared.version && compared.diff.empty();
        same = same && equal;
        list.push_back(to_json(compared));
        if (globals.machine()) continue;
        if (equal) {
            say(globals, fmt::format("{} is the same as v{}", file, *compared.version));
        } else {
            const std::string title =
                compared.version
                    ? fmt::format("{} v{} → {}", compared.name, *compared.version, file)
                    : fmt::format("{} is new → {}", compared.name, file);
            print_diff(globals, title, compared.diff);
        }
    }
    if (globals.machine()) print_json_list(globals, list);
    co_return same ? exit_ok : exit_error;
}

int run_workflows_diff(const DefinitionsOptions& options) {
    const auto files = read_some_definitions(options.files);
    if (!files) return report(options.globals, files.error());
    return with_door(options.globals, [&](Door& door) {
        return compare(door, options.globals, *files);
    });
}

const RegisterCommand<run_workflows_diff, add_definitions> workflows_diff_command(
    {"workflows diff",
     50,
     "Compare definitions with what is published; exit code 1 when they differ"},
    {{"pawl workflows diff -f hello.yaml"},
     {"pawl workflows diff -f workflows/ && echo nothing to publish"}}
);

}  // namespace

}  // namespace pawl::cli
