#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct WorkflowsOwnerOptions {
    Globals globals;
    std::string name;
    std::string owner;
    bool clear = false;
};

asio::awaitable<int> set_owner(Door& door, const WorkflowsOwnerOptions& options) {
    const Globals& globals = options.globals;
    if (options.owner.empty() && !options.clear) {
        co_return report(globals, Error{Errc::invalid, "say who the owner is, or --clear", {}});
    }
    if (const auto unknown = co_await misspelt_workflow(door, options.name)) {
        co_return report(globals, *unknown);
    }
    json::object body{{"owner", nullptr}};
    if (!options.clear) body["owner"] = options.owner;
    const auto workflow =
        co_await door.call({"PUT", {"workflows", options.name, "owner"}, {}, std::move(body)});
    if (!workflow) co_return report(globals, workflow.error());
    if (globals.machine()) {
        json::object out{{"name", member(*workflow, "name")}};
        out["owner"] = value_member(*workflow, "owner");
        print_json(globals, out);
    } else {
        print_line(member(*workflow, "name"));
    }
    co_return exit_ok;
}

int run_workflows_owner(const WorkflowsOwnerOptions& options) {
    return with_door(options.globals, [&](Door& door) { return set_owner(door, options); });
}

void add_workflows_owner(App& app, WorkflowsOwnerOptions& options) {
    add_workflow_name(app, options.name);
    auto* owner = app.add_option("OWNER", options.owner, "A person or a team")->type_name("");
    app.add_flag("--clear", options.clear, "No one")->excludes(owner);
}

const RegisterCommand<run_workflows_owner, add_workflows_owner> workflows_owner_command(
    {"workflows owner", 55, "Say who answers for a workflow"},
    {{"pawl workflows owner hello 'Team CRM'"}, {"pawl workflows owner hello --clear"}}
);

}  // namespace

}  // namespace pawl::cli
