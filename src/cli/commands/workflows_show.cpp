#include "cli/commands/definitions.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "draw/mermaid.hpp"
#include "draw/svg.hpp"
#include "draw/text_drawing.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"
#include "model/yaml_writer.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

struct WorkflowsShowOptions {
    enum class Format { text, mermaid, svg };
    Globals globals;
    std::string name;  // empty: `file` is shown
    std::string file;
    bool graph = false;
    Format format = Format::text;
};

// What is shown: a published version, or a file.
struct Shown {
    Definition definition;
    const json::value* published = nullptr;  // as the API has it
};

std::string ways_out(const Definition& definition, NodeIndex node) {
    if (!definition.code.empty()) return "(as the plan says)";
    std::string text;
    for (const Edge& edge : definition.edges) {
        if (edge.from != node) continue;
        if (!text.empty()) text += ", ";
        if (edge.handle != "default") text += fmt::format("{}: ", edge.handle);
        text += definition.nodes[edge.to].id;
    }
    return text.empty() ? "(end)" : text;
}

void print_workflow(const Globals& globals, const Shown& shown) {
    const Definition& definition = shown.definition;
    std::vector<TableRow> head;
    if (shown.published != nullptr) {
        const json::value& version = *shown.published;
        const std::string name = member(version, "name");
        head.push_back({"workflow", fmt::format("{} v{}", name, number_member(version, "version"))}
        );
        head.push_back({"published", human_time_member(version, "created_at")});
        const std::string by = member(version, "changed_by");
        if (!by.empty()) {
            head.push_back(
                {"changed", fmt::format("{} by {}", human_time_member(version, "changed_at"), by)}
            );
        }
        const std::string owner = member(version, "owner");
        if (!owner.empty()) head.push_back({"owner", owner});
    } else {
        head.push_back({"workflow", definition.name});
    }
    if (!definition.description.empty()) head.push_back({"description", definition.description});
    if (!definition.required_fields.empty()) {
        head.push_back({"required", fmt::format("{}", fmt::join(definition.required_fields, ", "))}
        );
    }
    if (!definition.input_schema.is_null()) {
        head.push_back({"input", shorten(compact(definition.input_schema), 60)});
    }
    if (!definition.code.empty()) {
        head.push_back(
            {"plan", fmt::format("C++ code, version {}: it picks the steps", definition.code)}
        );
    }
    if (definition.timeout) head.push_back({"timeout", format_duration(*definition.timeout)});
    print_details(globals, head);
    print_line("");
    std::vector<TableRow> rows;
    for (NodeIndex i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        rows.push_back(
            {node.id,
             fmt::format("{}{}", name(node.type), node.disabled ? ", switched off" : ""),
             std::to_string(node.retry.attempts),
             node.timeout ? format_duration(*node.timeout) : "",
             ways_out(definition, i),
             shorten(compact(node.config), 60)}
        );
    }
    print_table(globals, {"NODE", "TYPE", "TRIES", "TIMEOUT", "NEXT", "CONFIG"}, rows);
}

void print_graph(const WorkflowsShowOptions& options, const Definition& definition) {
    using Format = WorkflowsShowOptions::Format;
    const draw::Graph graph = draw::graph_of(definition);
    switch (options.format) {
        case Format::text:
            return print_drawing(
                draw::to_text(graph, {stdout_width(), stdout_has_color(options.globals)})
            );
        case Format::mermaid: return print_text(draw::to_mermaid(graph));
        case Format::svg: return print_text(draw::to_svg(graph));
    }
}

int print(const WorkflowsShowOptions& options, const Shown& shown) {
    const Globals& globals = options.globals;
    if (options.graph) {
        print_graph(options, shown.definition);
        if (!shown.definition.code.empty()) {
            say(globals, "no ways are drawn: its plan, which is C++ code, says what comes next");
        }
    } else if (globals.output == OutputFormat::yaml) {
        // The definition alone: a text to edit and apply again.
        print_text(to_yaml(to_json(shown.definition)));
    } else if (globals.machine()) {
        json::object document{{"name", shown.definition.name}};
        if (shown.published != nullptr) {
            document["version"] = number_member(*shown.published, "version");
            document["created_at"] = member(*shown.published, "created_at");
        }
        document["definition"] = to_json(shown.definition);
        if (shown.published != nullptr) {
            document["definition"] = value_member(*shown.published, "definition");
        }
        print_json(globals, document);
    } else {
        print_workflow(globals, shown);
    }
    return exit_ok;
}

asio::awaitable<int> show(Door& door, const WorkflowsShowOptions& options) {
    const auto workflow = co_await door.call({"GET", {"workflows", options.name}});
    if (!workflow) {
        Error error = workflow.error();
        if (error.code == Errc::not_found) error = co_await unknown_workflow(door, options.name);
        co_return report(options.globals, error);
    }
    auto definition = definition_from_json(value_member(*workflow, "definition"));
    if (!definition) co_return report(options.globals, definition.error());
    co_return print(options, {std::move(*definition), &*workflow});
}

int run_workflows_show(const WorkflowsShowOptions& options) {
    if (!options.file.empty()) {
        auto files = read_definitions({options.file});
        if (!files) return report(options.globals, files.error());
        if (files->size() != 1) {
            const std::string message =
                fmt::format("{} holds {} definitions; show one", options.file, files->size());
            return report(options.globals, {Errc::invalid, message, {}});
        }
        return print(options, {std::move(files->front().definition), nullptr});
    }
    return with_door(options.globals, [&](Door& door) { return show(door, options); });
}

void add_workflows_show(App& app, WorkflowsShowOptions& options) {
    using Format = WorkflowsShowOptions::Format;
    auto* name = app.add_option("NAME", options.name, "The workflow")->type_name("");
    app.add_option("-f,--file", options.file, "A file instead; needs no database")
        ->type_name("FILE")
        ->excludes(name);
    auto* graph = app.add_flag("--graph", options.graph, "Draw it");
    const Choices<Format> formats{
        {"text", Format::text}, {"mermaid", Format::mermaid}, {"svg", Format::svg}};
    add_choice(app, "--format", options.format, formats, "What to draw it as [text]")->needs(graph);
}

void check_workflows_show(const WorkflowsShowOptions& options) {
    if (options.name.empty() && options.file.empty()) {
        throw WrongUse("say which: NAME, or -f FILE");
    }
}

const RegisterCommand<run_workflows_show, add_workflows_show, check_workflows_show>
    workflows_show_command(
        {"workflows show", 30, "One workflow: its steps, its text, its drawing"},
        {{"pawl workflows show hello"},
         {"pawl workflows show hello -o yaml > hello.yaml"},
         {"pawl workflows show hello --graph"},
         {"pawl workflows show -f hello.yaml --graph --format svg > hello.svg"}}
    );

}  // namespace

}  // namespace pawl::cli
