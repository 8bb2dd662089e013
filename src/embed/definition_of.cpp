#include "embed/definition_of.hpp"

#include "base/json.hpp"
#include "model/input_schema.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::embed {

namespace {

json::object node_of(const StepDef& step) {
    json::object node{{"id", step.name}, {"type", step.type}};
    json::object config = step.config;
    if (step.type == "code") config["function"] = step.runs.empty() ? step.name : step.runs;
    if (!config.empty()) node["config"] = std::move(config);
    json::object retry{{"attempts", step.attempts}};
    // What may have taken place is not done a second time by itself.
    if (step.type == "code") retry["ambiguous"] = "fail";
    node["retry"] = std::move(retry);
    if (step.timeout) node["timeout"] = fmt::format("{}ms", step.timeout->count());
    node["on_failure"] = step.may_fail ? "continue" : "abort";
    return node;
}

}  // namespace

Result<Definition> definition_of(const Workflow& workflow) {
    json::object document{{"name", workflow.id()}, {"code", workflow.version()}};
    if (workflow.version().empty()) return Error{Errc::invalid, "it has no version", {}};
    if (auto text = workflow.description(); !text.empty()) document["description"] = text;
    json::array fields;
    for (const std::string& field : workflow.required_fields()) fields.emplace_back(field);
    if (!fields.empty()) document["required_fields"] = std::move(fields);
    if (auto schema = workflow.input_schema(); !schema.is_null()) {
        auto known = check_input_schema(schema);
        if (!known) return Error{Errc::invalid, "input_schema: " + known.error().message, {}};
        document["input_schema"] = std::move(schema);
    }
    json::array nodes;
    for (const StepDef& step : workflow.steps()) nodes.push_back(node_of(step));
    document["nodes"] = std::move(nodes);
    return definition_from_json(document);
}

}  // namespace pawl::embed
