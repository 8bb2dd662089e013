#include "model/definition.hpp"

#include <algorithm>

namespace pawl {

std::string_view name(NodeType type) {
    switch (type) {
        case NodeType::code: return "code";
        case NodeType::function: return "function";
        case NodeType::http: return "http";
        case NodeType::wait: return "wait";
    }
    return "unknown";
}

std::optional<NodeType> parse_node_type(std::string_view text) {
    for (NodeType known : {NodeType::code, NodeType::function, NodeType::http, NodeType::wait}) {
        if (text == name(known)) return known;
    }
    return std::nullopt;
}

bool Node::operator==(const Node& other) const {
    return id == other.id && type == other.type && config == other.config && retry == other.retry &&
           timeout == other.timeout && on_failure == other.on_failure;
}

std::optional<NodeIndex> Definition::find(std::string_view node_id) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].id == node_id) return static_cast<NodeIndex>(i);
    }
    return std::nullopt;
}

std::optional<NodeIndex> Definition::next(NodeIndex from, std::string_view handle) const {
    const auto leads = [&](const Edge& edge) { return edge.from == from && edge.handle == handle; };
    // In a line, edge n leaves node n: no search on the hot path.
    if (from < edges.size() && leads(edges[from])) return edges[from].to;
    const auto found = std::find_if(edges.begin(), edges.end(), leads);
    if (found == edges.end()) return std::nullopt;
    return found->to;
}

}  // namespace pawl
