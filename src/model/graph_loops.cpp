#include "model/graph_loops.hpp"

#include <algorithm>

namespace pawl {

GraphLoops::GraphLoops(const Definition& definition)
    : definition_(definition),
      out_(definition.nodes.size()),
      in_(definition.nodes.size()),
      order_(definition.nodes.size()),
      back_(definition.edges.size()),
      circles_(definition.nodes.size()),
      reached_(definition.nodes.size()) {
    for (std::uint32_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        if (edge.from >= out_.size() || edge.to >= out_.size()) continue;
        out_[edge.from].push_back(i);
        in_[edge.to].push_back(i);
    }
    if (definition.nodes.empty()) return;
    number();
    find_edges_back();
}

// Where a run begins, and where undoing does.
std::vector<NodeIndex> GraphLoops::starts() const {
    std::vector<NodeIndex> starts{0};
    for (const Node& node : definition_.nodes) {
        if (node.compensate.empty()) continue;
        if (const auto undo = definition_.find(node.compensate)) starts.push_back(*undo);
    }
    return starts;
}

GraphLoops::Nodes GraphLoops::walk(std::vector<NodeIndex> open, const Nodes& shut) const {
    Nodes seen(out_.size());
    std::erase_if(open, [&](NodeIndex node) { return shut[node]; });
    for (const NodeIndex node : open) seen[node] = true;
    while (!open.empty()) {
        const NodeIndex node = open.back();
        open.pop_back();
        for (const std::uint32_t edge : out_[node]) {
            const NodeIndex to = definition_.edges[edge].to;
            if (seen[to] || shut[to]) continue;
            seen[to] = true;
            open.push_back(to);
        }
    }
    return seen;
}

// In depth first, a node before all that comes after it: edges that lead to a lower number may go
// back.
void GraphLoops::number() {
    struct Open {
        NodeIndex node;
        std::size_t next = 0;
    };
    Nodes seen(out_.size());
    std::size_t left = out_.size();
    for (const NodeIndex start : starts()) {
        if (seen[start]) continue;
        seen[start] = true;
        std::vector<Open> path{{start}};
        while (!path.empty()) {
            Open& at = path.back();
            if (at.next == out_[at.node].size()) {
                order_[at.node] = --left;
                path.pop_back();
                continue;
            }
            const NodeIndex to = definition_.edges[out_[at.node][at.next++]].to;
            if (seen[to]) continue;
            seen[to] = true;
            path.push_back({to});
        }
    }
}

void GraphLoops::find_edges_back() {
    for (NodeIndex head = 0; head < in_.size(); ++head) {
        const bool candidate =
            std::any_of(in_[head].begin(), in_[head].end(), [&](std::uint32_t edge) {
                return order_[definition_.edges[edge].from] >= order_[head];
            });
        if (!candidate) continue;
        Nodes shut(out_.size());
        shut[head] = true;
        const Nodes without = walk(starts(), shut);
        bool any = false;
        for (const std::uint32_t edge : in_[head]) {
            if (without[definition_.edges[edge].from]) continue;
            back_[edge] = any = true;
        }
        if (any) gather(head);
    }
}

void GraphLoops::gather(NodeIndex head) {
    Nodes& circle = circles_[head];
    circle.assign(out_.size(), false);
    circle[head] = true;
    std::vector<NodeIndex> open;
    const auto add = [&](NodeIndex node) {
        if (circle[node]) return;
        circle[node] = true;
        open.push_back(node);
    };
    for (const std::uint32_t edge : in_[head]) {
        if (back_[edge]) add(definition_.edges[edge].from);
    }
    while (!open.empty()) {
        const NodeIndex node = open.back();
        open.pop_back();
        for (const std::uint32_t edge : in_[node]) add(definition_.edges[edge].from);
    }
}

bool GraphLoops::holds(NodeIndex head, NodeIndex node) const {
    return !circles_[head].empty() && circles_[head][node];
}

std::vector<NodeIndex> GraphLoops::heads_around(NodeIndex node) const {
    std::vector<NodeIndex> heads;
    for (NodeIndex head = 0; head < circles_.size(); ++head) {
        if (holds(head, node)) heads.push_back(head);
    }
    return heads;
}

bool GraphLoops::begins_anew(std::size_t edge, NodeIndex node) const {
    if (!back_[edge]) return false;
    const NodeIndex head = definition_.edges[edge].to;
    return head != node && holds(head, node);
}

bool GraphLoops::reaches(NodeIndex from, NodeIndex to) const {
    Nodes& reached = reached_[to];
    if (reached.empty()) {
        reached.assign(out_.size(), false);
        std::vector<NodeIndex> open{to};
        while (!open.empty()) {
            const NodeIndex node = open.back();
            open.pop_back();
            for (const std::uint32_t edge : in_[node]) {
                const NodeIndex before = definition_.edges[edge].from;
                if (reached[before] || begins_anew(edge, to)) continue;
                reached[before] = true;
                open.push_back(before);
            }
        }
    }
    return reached[from];
}

bool GraphLoops::is_body(NodeIndex loop, NodeIndex from) const {
    if (holds(loop, from)) return true;
    Nodes shut(out_.size());
    for (NodeIndex node = 0; node < out_.size(); ++node) {
        Nodes without(out_.size());
        without[node] = true;
        shut[node] = node == loop || !walk(starts(), without)[loop];
    }
    std::vector<NodeIndex> body;
    for (const std::uint32_t edge : out_[loop]) {
        if (definition_.edges[edge].handle == "each") body.push_back(definition_.edges[edge].to);
    }
    return walk(std::move(body), shut)[from];
}

}  // namespace pawl
