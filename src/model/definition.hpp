#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "model/retry_policy.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

using NodeIndex = std::uint32_t;

enum class NodeType {
    code,      // a C++ function registered under config.function
    function,  // POST {functions_url}/{config.function} with {action, payload}
    http,      // any HTTP call: config.method, url, headers, body
    wait,      // config.duration
};

std::string_view name(NodeType type);
std::optional<NodeType> parse_node_type(std::string_view text);

// What happens to the run when a step has given up.
enum class OnFailure { abort, continue_ };

// A place in the graph.
struct Node {
    std::string id;
    NodeType type = NodeType::code;
    boost::json::object config;  // type-specific; strings may hold templates
    RetryPolicy retry;
    std::optional<Duration> timeout;  // of one attempt
    OnFailure on_failure = OnFailure::abort;
    // False only when it is known that no string of the config holds a placeholder, so that
    // rendering can hand the config out as it is. Parsing sets it.
    bool has_templates = true;

    // has_templates follows from the config and is left out.
    bool operator==(const Node& other) const;
};

// A way out of a node.
struct Edge {
    NodeIndex from = 0;
    NodeIndex to = 0;
    std::string handle = "default";

    bool operator==(const Edge&) const = default;
};

// An immutable workflow version: always a graph, also when it was written as a list of steps.
struct Definition {
    std::string name;
    std::string description;
    std::vector<std::string> required_fields;
    std::optional<Duration> timeout;  // of the whole run
    std::vector<Node> nodes;          // at least one; nodes[0] is the entry
    std::vector<Edge> edges;

    std::optional<NodeIndex> find(std::string_view node_id) const;
    // Where `handle` leads from a node; nothing means the path ends there.
    std::optional<NodeIndex> next(NodeIndex from, std::string_view handle = "default") const;

    bool operator==(const Definition&) const = default;
};

// Limits on what people may define.
struct DefinitionLimits {
    std::size_t bytes_max = 1 << 20;
    std::size_t depth_max = 32;
    std::size_t nodes_max = 1000;
};

// Parses YAML or JSON text: either `nodes` + `edges`, or a `steps` list (document 000's step
// objects included). The error names line and path: "line 4, steps[1].retry.attempts: must be a
// whole number from 1 to 100".
Result<Definition> parse_definition(std::string_view text, DefinitionLimits limits = {});

// The canonical form, as stored in pawl.workflow_version; definition_from_json(to_json(d)) gives d
// back.
boost::json::object to_json(const Definition& definition);
Result<Definition> definition_from_json(const boost::json::value& value);

// What a start must bring: the required fields, and a value for every placeholder of every step
// that has no default and is not filled at run time (steps..., step_N_result, step_N_error,
// run...). The message tells one kind of gap; context "missing" names everything that is missing at
// once.
Result<void> validate_input(const Definition& definition, const boost::json::value& input);

}  // namespace pawl
