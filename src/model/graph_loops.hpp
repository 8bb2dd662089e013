#pragma once

#include "model/definition.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace pawl {

// How often a run may enter one node (within one item of a foreach): a cycle must end.
inline constexpr std::uint32_t visits_max = 1000;

// The circles of a graph. An edge goes back when every way from the start to where it comes from
// leads through the place where it leads to: the head of a circle. The circle of a head is what can
// come back to it without passing it. Worked out once, then asked for often. One thread. Borrows
// the definition.
class GraphLoops {
public:
    explicit GraphLoops(const Definition& definition);

    bool goes_back(std::size_t edge) const { return back_[edge]; }
    // Whether the circle that goes back to `head` holds `node`; the head itself counts.
    bool holds(NodeIndex head, NodeIndex node) const;
    // Heads whose circles hold this node.
    std::vector<NodeIndex> heads_around(NodeIndex node) const;
    // Whether a way of one edge or more leads from one node to another in the same round: without
    // an edge that begins a circle anew in the middle of which the other one is. What comes back to
    // the other one itself comes to it.
    bool reaches(NodeIndex from, NodeIndex to) const;
    // By which a circle around `node` begins anew for what walks it.
    bool begins_anew(std::size_t edge, NodeIndex node) const;
    // Whether what leaves `loop` by its body comes back to it from `from` before it comes to a
    // place that every way to the loop leads through: else it has left the loop, and enters it
    // again.
    bool is_body(NodeIndex loop, NodeIndex from) const;
    // The place of a node in the order in which the graph is walked; a later one is further out.
    std::size_t order(NodeIndex node) const { return order_[node]; }

private:
    using Nodes = std::vector<bool>;

    // What can be reached from these, themselves included, without entering `shut`.
    Nodes walk(std::vector<NodeIndex> open, const Nodes& shut) const;
    std::vector<NodeIndex> starts() const;
    void number();
    void find_edges_back();
    void gather(NodeIndex head);

    const Definition& definition_;
    std::vector<std::vector<std::uint32_t>> out_;  // edges of each node
    std::vector<std::vector<std::uint32_t>> in_;
    std::vector<std::size_t> order_;
    Nodes back_;                          // by edge
    std::vector<Nodes> circles_;          // by head; empty: no head
    mutable std::vector<Nodes> reached_;  // by target: what reaches it; empty: not asked yet
};

}  // namespace pawl
