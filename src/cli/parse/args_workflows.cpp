#include "cli/parse/args_parser.hpp"

// The commands about workflows.
namespace pawl::cli {

namespace {

void add_files(App& app, std::vector<std::string>& files) {
    app.add_option("-f,--file", files, "YAML or JSON file, folder, or - for stdin")
        ->required()
        ->type_name("FILE");
}

}  // namespace

void Parser::add_workflows() {
    auto& app = command(app_, "workflows", "Publish, check, compare and draw workflows");
    app.require_subcommand(1);
    auto& apply =
        command(app, "apply", "Publish definitions; the same definition again changes nothing");
    add_files(apply, workflows_apply_.files);
    apply.add_flag(
        "--draft", workflows_apply_.draft, "Keep them as versions that nothing starts yet"
    );
    choose(apply, workflows_apply_);
    choose(command(app, "list", "All workflows"), workflows_list_);
    add_workflows_show(app);

    auto& validate =
        command(app, "validate", "Check definitions and say all that is wrong; needs no database");
    add_files(validate, workflows_validate_.files);
    choose(validate, workflows_validate_);

    auto& diff = command(
        app, "diff", "Compare definitions with what is published; exit code 1 when they differ"
    );
    add_files(diff, workflows_diff_.files);
    choose(diff, workflows_diff_);

    auto& remove = command(app, "delete", "Delete a workflow; its runs and versions stay");
    WorkflowsDeleteOptions& options = workflows_delete_;
    remove.add_option("NAME", options.name, "The workflow")->required()->type_name("");
    auto* force = remove.add_flag("--force", options.force, "Open runs go on to their end");
    remove.add_flag("--cancel-runs", options.cancel_runs, "Open runs are cancelled, as a job")
        ->excludes(force);
    remove.add_flag("--no-wait", options.no_wait, "Do not wait for the end of that job");
    choose(remove, options);
}

void Parser::add_workflows_show(App& workflows) {
    auto& show = command(workflows, "show", "One workflow: its steps, its text, its drawing");
    auto* name = show.add_option("NAME", workflows_show_.name, "The workflow")->type_name("");
    show.add_option("-f,--file", workflows_show_.file, "A file instead; needs no database")
        ->type_name("FILE")
        ->excludes(name);
    auto* graph = show.add_flag("--graph", workflows_show_.graph, "Draw it");
    const Choices<WorkflowsShowOptions::Format> formats{
        {"text", WorkflowsShowOptions::Format::text},
        {"mermaid", WorkflowsShowOptions::Format::mermaid},
        {"svg", WorkflowsShowOptions::Format::svg}};
    add_choice(show, "--format", workflows_show_.format, formats, "What to draw it as [text]")
        ->needs(graph);
    show.callback([this] {
        if (workflows_show_.name.empty() && workflows_show_.file.empty()) {
            throw WrongUse("say which: NAME, or -f FILE");
        }
        chosen_ = workflows_show_;
    });
}

}  // namespace pawl::cli
