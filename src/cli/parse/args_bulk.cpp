#include "cli/parse/args_parser.hpp"

// The command that does one thing to many runs.
namespace pawl::cli {

void Parser::add_runs_bulk(App& runs) {
    auto& app = command(runs, "bulk", "Do one thing to all runs that match, as a job");
    RunsBulkOptions& options = runs_bulk_;
    const std::vector<std::string> names{
        "cancel", "pause", "resume", "signal", "skip", "retry", "rerun"};
    Choices<std::string> actions;
    for (const std::string& name : names) actions.emplace_back(name, name);
    add_choice(app, "ACTION", options.action.action, actions, "What to do")->required();
    app.add_option("--workflow", options.workflow, "Only of this workflow")->type_name("NAME");
    app.add_option("--status", options.status, "Only in these states [all that ACTION is for]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("STATUS,...");
    app.add_option("--subject", options.subject, "Only about this subject")->type_name("TEXT");
    app.add_option("--correlation", options.correlation, "Only of this key")->type_name("KEY");
    app.add_option("--created-after", options.created_after, "Only from then on")
        ->type_name("TIME");
    app.add_option("--created-before", options.created_before, "Only from before")
        ->type_name("TIME");
    app.add_flag("--all", options.all, "All that ACTION is for, without a condition");
    add_number(
        app,
        "--limit",
        options.action.limit,
        1,
        store::bulk_limit_max,
        "Do nothing when more match [100000]"
    );
    app.add_option("--reason", options.action.reason, "Kept in the runs' logs")->type_name("TEXT");
    app.add_option("--name", options.action.name, "Of the signal")->type_name("NAME");
    app.add_option("--data", options.data, "Of the signal")->type_name("JSON|@FILE|-");
    app.add_option("--node", options.action.node, "The step to skip")->type_name("STEP");
    app.add_option("--value", options.value, "The result of that step [null]")
        ->type_name("JSON|@FILE|-");
    auto* dry = app.add_flag("--dry-run", options.dry_run, "Only count the runs and show some");
    app.add_flag("--yes", options.yes, "Really do it")->excludes(dry);
    app.add_flag("--no-wait", options.no_wait, "Do not wait for the end of the job");
    options.action.by = user_name();
    app.callback([this] {
        if (!runs_bulk_.dry_run && !runs_bulk_.yes) {
            throw WrongUse("say --dry-run to see what would be done, or --yes to do it");
        }
        chosen_ = runs_bulk_;
    });
}

}  // namespace pawl::cli
