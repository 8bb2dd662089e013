#include "base/json.hpp"
#include "model/credential_root.hpp"
#include "model/definition.hpp"
#include "model/input_schema.hpp"
#include "model/missing_names.hpp"
#include "model/person_root.hpp"
#include "model/step_template.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

// "step_12_result" and "step_12_error".
bool is_step_outcome(std::string_view root) {
    if (!root.starts_with("step_")) return false;
    root.remove_prefix(5);
    const std::size_t digits = std::min(root.find_first_not_of("0123456789"), root.size());
    const std::string_view rest = root.substr(digits);
    return digits > 0 && (rest == "_result" || rest == "_error");
}

template <class Is>
bool any_node(const Definition& definition, Is is) {
    return std::any_of(definition.nodes.begin(), definition.nodes.end(), is);
}

bool any_of_type(const Definition& definition, NodeType type) {
    return any_node(definition, [type](const Node& node) { return node.type == type; });
}

// Whether a step can go on after an error.
bool catches(const Definition& definition) {
    const auto of_error = [](const Edge& edge) { return edge.handle.starts_with("error"); };
    const auto goes_on = [](const Node& node) { return node.on_failure == OnFailure::continue_; };
    return std::any_of(definition.edges.begin(), definition.edges.end(), of_error) ||
           any_node(definition, goes_on);
}

// Names that a graph fills on its way: the item that a foreach is at, the round of a loop, the
// error that was caught, the visit that is undone, the links of a message.
struct RunTimeNames {
    explicit RunTimeNames(const Definition& definition)
        : item(any_of_type(definition, NodeType::foreach_)),
          round(any_of_type(definition, NodeType::loop)),
          error(catches(definition)),
          undo(any_node(definition, [](const Node& node) { return !node.compensate.empty(); })),
          message(any_of_type(definition, NodeType::message)),
          person(definition.person) {}

    bool holds(std::string_view root) const {
        return (item && (root == "item" || root == "index" || root == "outer")) ||
               (round && root == "index") || (error && root == "error") ||
               (undo && root == "undo") || (message && is_message_link(root));
    }

    bool item;
    bool round;
    bool error;
    bool undo;
    bool message;
    bool person;
};

bool is_given(
    const json::value& input, const Placeholder& placeholder, const RunTimeNames& run_time
) {
    const std::string& root = placeholder.path[0].key;
    if (placeholder.has_default || is_step_outcome(root)) return true;
    if (root == "steps" || root == "run" || root == credentials_root) return true;
    if (run_time.holds(root)) return true;
    if (root == person_root && run_time.person) return true;
    if (root == trigger_root && walk(&input, placeholder.path) == nullptr) {
        return walk(&input, placeholder.path, 1) != nullptr;
    }
    if (root == "input") return walk(&input, placeholder.path, 1) != nullptr;
    return walk(&input, placeholder.path) != nullptr;
}

// What the keys of the limits need.
Result<void> check_flow_keys(
    const FlowControl& flow,
    const json::value& input,
    const RunTimeNames& run_time,
    MissingNames& variables
) {
    json::array keys;
    for (const ConcurrencyLimit& limit : flow.concurrency) keys.emplace_back(limit.key);
    if (flow.rate) keys.emplace_back(flow.rate->key);
    if (flow.gathering) keys.emplace_back(flow.gathering->key);
    const auto found = placeholders(keys);
    if (!found) return found.error();
    for (const Placeholder& placeholder : *found) {
        if (!is_given(input, placeholder, run_time)) variables.add(placeholder.text);
    }
    return {};
}

}  // namespace

json::value run_input(const Definition& definition, json::value input) {
    const bool batch = definition.flow.gathering && definition.flow.gathering->batch;
    if (!batch) return input;
    json::object items;
    items["items"].emplace_array().push_back(std::move(input));
    return items;
}

Result<void> validate_input(const Definition& definition, const json::value& given) {
    MissingNames fields;
    for (const std::string& field : definition.required_fields) {
        if (find(given, field) == nullptr) fields.add(field);
    }
    MissingNames variables;
    const RunTimeNames run_time(definition);
    if (!definition.flow.empty()) {
        const auto keys = check_flow_keys(definition.flow, given, run_time, variables);
        if (!keys) return keys.error();
    }
    const bool batch = definition.flow.gathering && definition.flow.gathering->batch;
    const json::value items = batch ? run_input(definition, given) : json::value();
    const json::value& input = batch ? items : given;
    for (const Node& node : definition.nodes) {
        if (!node.has_templates) continue;
        const auto found = placeholders(without_programs(node.type, node.config));
        if (!found) return found.error();
        for (const Placeholder& placeholder : *found) {
            if (!is_given(input, placeholder, run_time)) variables.add(placeholder.text);
        }
    }
    if (fields.empty() && variables.empty()) {
        const json::value& schema = definition.input_schema;
        return schema.is_null() ? Result<void>() : check_fits(schema, given);
    }

    // Clients match these two sentences: they may not change.
    std::string message =
        fields.empty()
            ? fmt::format(
                  "Missing template variables: {}. These placeholders exist in workflow steps but "
                  "were not provided in data.",
                  variables.text()
              )
            : "Missing required fields: " + fields.text();
    MissingNames all = fields;
    for (const std::string& variable : variables.shown()) all.add(variable);
    return Error{
        Errc::invalid,
        std::move(message),
        {{"missing", fmt::format("{}", fmt::join(all.shown(), ", "))}}};
}

Result<void> check_replaced_input(const Definition& definition, const json::value& input) {
    const json::value& schema = definition.input_schema;
    if (schema.is_null()) return {};
    const bool batch = definition.flow.gathering && definition.flow.gathering->batch;
    const json::value* items = batch ? find(input, "items") : nullptr;
    if (items == nullptr || !items->is_array()) return check_fits(schema, input);
    for (const json::value& item : items->get_array()) {
        auto fits = check_fits(schema, item);
        if (!fits) return fits;
    }
    return {};
}

bool is_required_field(const Definition& definition, std::string_view name) {
    const auto& fields = definition.required_fields;
    return std::find(fields.begin(), fields.end(), name) != fields.end() ||
           requires_member(definition.input_schema, name);
}

}  // namespace pawl
