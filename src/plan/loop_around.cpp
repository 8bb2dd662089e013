#include "plan/loop_around.hpp"

#include <algorithm>
#include <vector>

namespace pawl::plan {

namespace {

using Nodes = std::vector<bool>;

// The ways of a graph, by the node that they leave. Borrows the definition.
class Ways {
public:
    explicit Ways(const Definition& definition) : out_(definition.nodes.size()) {
        for (const Edge& edge : definition.edges) {
            if (edge.from < out_.size() && edge.to < out_.size()) {
                out_[edge.from].push_back(&edge);
            }
        }
        starts_.push_back(0);
        for (const Node& node : definition.nodes) {
            if (node.compensate.empty()) continue;
            if (const auto undo = definition.find(node.compensate)) starts_.push_back(*undo);
        }
    }

    // What can be reached at all without the way `each` of a node.
    Nodes outside(NodeIndex head) const {
        Nodes seen(out_.size());
        std::vector<NodeIndex> open;
        const auto add = [&](NodeIndex node) {
            if (seen[node]) return;
            seen[node] = true;
            open.push_back(node);
        };
        for (const NodeIndex start : starts_) add(start);
        while (!open.empty()) {
            const NodeIndex node = open.back();
            open.pop_back();
            for (const Edge* edge : out_[node]) {
                if (node != head || edge->handle != "each") add(edge->to);
            }
        }
        return seen;
    }

private:
    std::vector<std::vector<const Edge*>> out_;
    std::vector<NodeIndex> starts_;
};

bool is_loop(const Node& node) {
    return node.type == NodeType::loop;
}

}  // namespace

std::optional<NodeIndex> loop_around(const Definition& definition, const Standing& standing) {
    const auto& nodes = definition.nodes;
    if (standing.node >= nodes.size() || std::none_of(nodes.begin(), nodes.end(), is_loop)) {
        return std::nullopt;
    }
    if (standing.counting) return standing.node;
    const Ways ways(definition);
    std::optional<NodeIndex> inner;
    Nodes outside_inner;
    std::size_t lists = 0;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const bool list = nodes[i].type == NodeType::foreach_;
        if (!list && !is_loop(nodes[i])) continue;
        Nodes outside = ways.outside(i);
        if (outside[standing.node]) continue;
        if (list) ++lists;
        // Of two around the same node one is inside the other.
        if (inner && outside_inner[i]) continue;
        inner = i;
        outside_inner = std::move(outside);
    }
    if (!inner || !is_loop(nodes[*inner]) || standing.items > lists) return std::nullopt;
    return inner;
}

}  // namespace pawl::plan
