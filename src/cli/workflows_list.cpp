#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

std::string text_of(const json::value& definition, std::string_view key) {
    const auto* value = find(definition, key);
    return value == nullptr || !value->is_string() ? "" : std::string(value->get_string());
}

asio::awaitable<int> list(store::PgStore& store, store::Tenant tenant, const Globals& globals) {
    const auto workflows = co_await store.list_workflows(tenant.id, {});
    if (workflows.empty()) say(globals, "no workflows; publish one: pawl workflows apply -f FILE");
    json::array items;
    std::vector<TableRow> rows;
    for (const auto& workflow : workflows) {
        const std::string description = text_of(workflow.definition, "description");
        json::object item;
        item["name"] = workflow.name;
        item["version"] = workflow.version;
        item["description"] = description;
        item["created_at"] = to_rfc3339(workflow.created_at);
        items.push_back(std::move(item));
        rows.push_back(
            {workflow.name,
             fmt::format("v{}", workflow.version),
             human_time(workflow.created_at),
             shorten(description, 70)}
        );
    }
    if (globals.machine()) {
        print_json_list(globals, items);
    } else if (!rows.empty()) {
        print_table(globals, {"NAME", "VERSION", "PUBLISHED (UTC)", "DESCRIPTION"}, rows);
    }
    co_return exit_ok;
}

}  // namespace

int run_workflows_list(const WorkflowsListOptions& options) {
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return list(store, tenant, options.globals);
    });
}

}  // namespace pawl::cli
