#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"

#include <boost/json/array.hpp>

namespace pawl {

namespace {

json::object to_json(const RetryPolicy& policy) {
    return {
        {"attempts", policy.attempts},
        {"base", format_duration(policy.base)},
        {"factor", policy.factor},
        {"cap", format_duration(policy.cap)},
        {"jitter", json::array{policy.jitter_min, policy.jitter_max}},
        {"ambiguous", policy.retry_ambiguous ? "retry" : "fail"}};
}

json::object to_json(const Node& node) {
    json::object object{
        {"id", node.id},
        {"type", name(node.type)},
        {"config", node.config},
        {"retry", to_json(node.retry)},
        {"on_failure", node.on_failure == OnFailure::continue_ ? "continue" : "abort"}};
    if (node.timeout) object["timeout"] = format_duration(*node.timeout);
    return object;
}

}  // namespace

json::object to_json(const Definition& definition) {
    json::object object{{"name", definition.name}};
    if (!definition.description.empty()) object["description"] = definition.description;
    if (!definition.required_fields.empty()) {
        json::array& fields = object["required_fields"].emplace_array();
        for (const std::string& field : definition.required_fields) fields.emplace_back(field);
    }
    if (definition.timeout) object["timeout"] = format_duration(*definition.timeout);
    json::array& nodes = object["nodes"].emplace_array();
    for (const Node& node : definition.nodes) nodes.push_back(to_json(node));
    json::array& edges = object["edges"].emplace_array();
    for (const Edge& edge : definition.edges) {
        edges.push_back(json::object{
            {"from", definition.nodes.at(edge.from).id},
            {"to", definition.nodes.at(edge.to).id},
            {"handle", edge.handle}});
    }
    return object;
}

}  // namespace pawl
