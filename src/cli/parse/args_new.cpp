#include "cli/commands/workflow_templates.hpp"
#include "cli/parse/args_parser.hpp"

// The commands that write files to begin with.
namespace pawl::cli {

void Parser::add_new() {
    auto& app = command(app_, "new", "Write the beginning of something");
    app.require_subcommand(1);
    auto& workflow = command(app, "workflow", "A definition with comments, to change and publish");
    workflow.add_option("NAME", new_workflow_.name, "How it is called: order_paid")
        ->required()
        ->type_name("");
    Choices<std::string> kinds;
    for (const std::string& kind : workflow_templates()) kinds.emplace_back(kind, kind);
    add_choice(workflow, "--template", new_workflow_.kind, kinds, "What to begin with [steps]");
    workflow.add_option("-o,--dir", new_workflow_.dir, "The folder for the file")
        ->type_name("DIR")
        ->capture_default_str();
    choose(workflow, new_workflow_);
    auto& process = command(
        app, "process", "SQL of a business process with facts and a supervisor, and its test"
    );
    process.add_option("NAME", new_process_.name, "What it does: send_receipt")
        ->required()
        ->type_name("");
    process.add_option("--schema", new_process_.schema, "Where it lives")
        ->type_name("SCHEMA")
        ->capture_default_str();
    const Choices<std::string> channels{{"email", "email"}, {"sms", "sms"}};
    add_choice(process, "--channel", new_process_.channel, channels, "What it sends [email]");
    process.add_option("-o,--dir", new_process_.dir, "The folder for the files")
        ->type_name("DIR")
        ->capture_default_str();
    choose(process, new_process_);
}

}  // namespace pawl::cli
