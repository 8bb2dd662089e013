#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/names.hpp"
#include "cli/pretty_json.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

void print_workflow(
    const Globals& globals, const store::WorkflowVersion& workflow, const Definition& definition
) {
    std::vector<TableRow> head{
        {"workflow", fmt::format("{} v{}", workflow.name, workflow.version)},
        {"published", human_time(workflow.created_at)}};
    if (!definition.description.empty()) head.push_back({"description", definition.description});
    if (!definition.required_fields.empty()) {
        head.push_back({"required", fmt::format("{}", fmt::join(definition.required_fields, ", "))}
        );
    }
    if (definition.timeout) head.push_back({"timeout", format_duration(*definition.timeout)});
    print_details(globals, head);
    print_line("");
    std::vector<TableRow> rows;
    for (NodeIndex i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        const auto next = definition.next(i);
        rows.push_back(
            {node.id,
             std::string(name(node.type)),
             std::to_string(node.retry.attempts),
             node.timeout ? format_duration(*node.timeout) : "",
             next ? definition.nodes[*next].id : "(end)",
             shorten(compact(node.config), 60)}
        );
    }
    print_table(globals, {"NODE", "TYPE", "TRIES", "TIMEOUT", "NEXT", "CONFIG"}, rows);
}

asio::awaitable<int> show(store::PgStore& store, const WorkflowsShowOptions& options) {
    const Globals& globals = options.globals;
    const auto workflow = co_await store.find_workflow(options.name);
    if (!workflow) {
        const Error unknown = co_await unknown_workflow(store, options.name);
        co_return report(globals, unknown);
    }
    const auto definition = definition_from_json(workflow->definition);
    if (!definition) co_return report(globals, definition.error());
    if (globals.machine()) {
        json::object document;
        document["name"] = workflow->name;
        document["version"] = workflow->version;
        document["created_at"] = to_rfc3339(workflow->created_at);
        document["definition"] = workflow->definition;
        print_json(globals, document);
        co_return exit_ok;
    }
    print_workflow(globals, *workflow, *definition);
    co_return exit_ok;
}

}  // namespace

int run_workflows_show(const WorkflowsShowOptions& options) {
    return with_store(options.globals, [&](store::PgStore& store) { return show(store, options); });
}

}  // namespace pawl::cli
