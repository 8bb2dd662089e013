#pragma once

#include "draw/graph.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace pawl::draw {

// A place in a layer: a box, or a point that a long arrow passes through.
struct Cell {
    std::optional<std::size_t> box;
    std::size_t layer = 0;
    std::size_t order = 0;  // from the left, in its layer
};

// A part of an arrow between two neighbouring layers, downwards.
struct Piece {
    std::size_t upper = 0;  // cells
    std::size_t lower = 0;
    std::size_t arrow = 0;
};

// A graph in layers, so that arrows lead down. Those that cannot are `back` and have no pieces:
// they are drawn around the rest.
struct Layered {
    std::vector<Cell> cells;  // the first ones are the boxes, in their order
    std::vector<Piece> pieces;
    std::vector<std::vector<std::size_t>> layers;  // cells from left to right
    std::vector<bool> back;                        // by arrow
};

struct LayerLimits {
    std::size_t boxes_max = 0;       // in one layer; 0: as many as there are
    std::size_t cells_max = 20'000;  // long arrows through many layers add up
};

// Which arrows close a circle, seen from box 0.
std::vector<bool> back_arrows(const Graph& graph);

// Layers by the longest path, ordered by barycentres so that few arrows cross. Nothing when the
// graph is too large for that. Deterministic.
std::optional<Layered> arrange(const Graph& graph, LayerLimits limits = {});

}  // namespace pawl::draw
