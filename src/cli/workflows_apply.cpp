#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/definitions.hpp"
#include "store/versions.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

asio::awaitable<int> apply(
    pg::Pool& pool,
    store::Tenant tenant,
    const Globals& globals,
    const std::vector<DefinitionFile>& files,
    bool draft
) {
    store::PgStore store(pool);
    store::Versions versions(pool);
    json::array list;
    std::vector<TableRow> rows;
    // Before the first of them is published.
    for (const auto& [file, definition] : files) {
        auto taken = co_await versions.taken_label(tenant.id, definition);
        if (taken) co_return report(globals, std::move(*taken).with("file", file));
    }
    for (const auto& [file, definition] : files) {
        store::Applied applied;
        if (draft) {
            applied = co_await versions.save_draft(tenant.id, definition);
        } else {
            applied = co_await store.apply_workflow(tenant.id, definition);
        }
        json::object item;
        item["name"] = definition.name;
        item["version"] = applied.version;
        item["changed"] = applied.changed;
        item["file"] = file;
        list.push_back(std::move(item));
        rows.push_back(
            {definition.name,
             fmt::format("v{}", applied.version),
             applied.changed ? Cell(draft ? "drafted" : "published", Color::green)
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
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return apply(pool, tenant, options.globals, *files, options.draft);
    });
}

}  // namespace pawl::cli
