// What steps are made of, as far as it is known before a run comes to them.
#include "base/json.hpp"
#include "model/flow_config.hpp"
#include "model/journey_reader.hpp"
#include "model/publish_check.hpp"
#include "model/step_template.hpp"
#include "model/template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace pawl {

namespace {

bool is_open(const json::value& value) {
    return value.is_null() || is_template(value);
}

// A text that is blank, or a map without members.
bool is_blank(const json::value& value) {
    if (const json::object* map = value.if_object()) return map->empty();
    const json::string* text = value.if_string();
    return value.is_null() ||
           (text != nullptr && text->find_first_not_of(" \t\r\n") == json::string::npos);
}

// Receivers of one's own, by webhook, may take what they like.
std::string content_problem(const json::object& config) {
    if (text_in(config, "channel") == "webhook") return "";
    for (const std::string_view key : {"text", "subject", "html", "title", "body"}) {
        const json::value* value = config.if_contains(key);
        if (value != nullptr && value->is_structured()) return fmt::format("{} must be text", key);
    }
    const json::value* messages = config.if_contains("messages");
    if (messages != nullptr && !is_open(*messages)) {
        const json::array* list = messages->if_array();
        if (list == nullptr || list->empty()) return "messages must be a list of at least one";
    }
    const json::value* data = config.if_contains("data");
    const bool map = data == nullptr || is_open(*data) || data->is_object();
    return map ? "" : "data must be a map of names and texts";
}

// A message of which all that it has is blank: no connector would take it.
bool says_nothing(const Node& node) {
    if (node.type != NodeType::message || text_in(node.config, "channel") == "webhook")
        return false;
    if (node.config.contains("template")) return false;
    return std::none_of(
        std::begin(message_content_keys),
        std::end(message_content_keys),
        [&node](std::string_view key) {
            const json::value* value = node.config.if_contains(key);
            return value != nullptr && !is_blank(*value);
        }
    );
}

// What is no placeholder may have braces: '{{1, 2}, {3, 4}}' is an array.
std::string program_problem(const Node& node) {
    for (const std::string& program : programs_of(node.type, node.config)) {
        const auto found = placeholders(json::value(program));
        if (!found || found->empty()) continue;
        return fmt::format(
            "'{{{{{}}}}}' stands in a program, which is not a template: {}",
            found->front().text,
            node.type == NodeType::transform ? "give it as input" : "values go into params"
        );
    }
    return "";
}

std::string problem_of(const Node& node) {
    const auto is_map = [&node](std::string_view key) {
        const json::value* value = node.config.if_contains(key);
        return value != nullptr && value->is_object();
    };
    switch (node.type) {
        case NodeType::message: return content_problem(node.config);
        case NodeType::action: {
            const json::value* params = node.config.if_contains("params");
            const bool fits = params == nullptr || is_open(*params) || is_map("params");
            return fits ? "" : "params must be a map of names and values";
        }
        case NodeType::wait: return is_map("date") ? "date must be a date such as 2026-03-01" : "";
        case NodeType::sql:
        case NodeType::transform:
        case NodeType::agent: return program_problem(node);
        default: return "";
    }
}

}  // namespace

void check_contents(const Definition& definition, const ShapeProblems& problems) {
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        if (says_nothing(node)) {
            problems.node(
                i,
                fmt::format(
                    "'{}' says nothing: give a template, or text, html, messages or another "
                    "content",
                    node.id
                )
            );
            continue;
        }
        const std::string problem = problem_of(node);
        if (!problem.empty()) problems.node(i, fmt::format("{} in '{}'", problem, node.id));
    }
}

}  // namespace pawl
