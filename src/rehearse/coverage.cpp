#include "rehearse/coverage.hpp"

#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::rehearse {

namespace {

std::size_t seen(const std::vector<std::size_t>& counts) {
    return static_cast<std::size_t>(std::count_if(counts.begin(), counts.end(), [](std::size_t n) {
        return n > 0;
    }));
}

}  // namespace

Coverage::Coverage(const Definition& definition)
    : definition_(definition), nodes_(definition.nodes.size()), edges_(definition.edges.size()) {}

void Coverage::add(const Recording& recording) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] += recording.visits[i];
    for (std::size_t i = 0; i < edges_.size(); ++i) edges_[i] += recording.taken[i];
}

std::size_t Coverage::nodes_seen() const {
    return seen(nodes_);
}

std::size_t Coverage::edges_seen() const {
    return seen(edges_);
}

std::string Coverage::edge_name(std::size_t edge) const {
    const Edge& what = definition_.edges[edge];
    const std::string label =
        what.handle == "default" ? std::string() : fmt::format(" [{}]", what.handle);
    return fmt::format(
        "{} → {}{}", definition_.nodes[what.from].id, definition_.nodes[what.to].id, label
    );
}

json::object Coverage::to_json() const {
    json::array nodes;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes.push_back(json::object{{"id", definition_.nodes[i].id}, {"visits", nodes_[i]}});
    }
    json::array edges;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Edge& edge = definition_.edges[i];
        edges.push_back(json::object{
            {"from", definition_.nodes[edge.from].id},
            {"to", definition_.nodes[edge.to].id},
            {"handle", edge.handle},
            {"taken", edges_[i]}});
    }
    return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

}  // namespace pawl::rehearse
