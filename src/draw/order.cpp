#include "draw/order.hpp"

#include <algorithm>
#include <numeric>

namespace pawl::draw {

namespace {

constexpr int sweeps = 12;

using Lists = std::vector<std::vector<std::size_t>>;

struct Neighbours {
    Lists above;  // of each cell
    Lists below;
};

Neighbours neighbours_of(const Layered& layered) {
    Neighbours found{Lists(layered.cells.size()), Lists(layered.cells.size())};
    for (const Piece& piece : layered.pieces) {
        found.below[piece.upper].push_back(piece.lower);
        found.above[piece.lower].push_back(piece.upper);
    }
    return found;
}

void number(Layered& layered, const std::vector<std::size_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) layered.cells[layer[i]].order = i;
}

// As a walk in depth meets them: what belongs together starts side by side.
void begin(Layered& layered, const Neighbours& near) {
    std::size_t count = 0;
    for (const Cell& cell : layered.cells) count = std::max(count, cell.layer + 1);
    layered.layers.assign(layered.cells.empty() ? 0 : count, {});
    std::vector<bool> seen(layered.cells.size());
    for (std::size_t root = 0; root < layered.cells.size(); ++root) {
        if (!near.above[root].empty() && root != 0) continue;
        std::vector<std::size_t> open{root};
        while (!open.empty()) {
            const std::size_t cell = open.back();
            open.pop_back();
            if (seen[cell]) continue;
            seen[cell] = true;
            layered.layers[layered.cells[cell].layer].push_back(cell);
            open.insert(open.end(), near.below[cell].rbegin(), near.below[cell].rend());
        }
    }
    for (const auto& layer : layered.layers) number(layered, layer);
}

// Moves every cell of a layer to the mean of its neighbours in another; cells without any stay.
void sort_layer(Layered& layered, std::size_t at, const Lists& neighbours) {
    auto& layer = layered.layers[at];
    std::vector<double> wish(layered.cells.size());
    for (std::size_t cell : layer) {
        const auto& near = neighbours[cell];
        double sum = 0;
        for (std::size_t other : near) sum += static_cast<double>(layered.cells[other].order);
        wish[cell] = near.empty() ? static_cast<double>(layered.cells[cell].order)
                                  : sum / static_cast<double>(near.size());
    }
    std::stable_sort(layer.begin(), layer.end(), [&](std::size_t a, std::size_t b) {
        return wish[a] < wish[b];
    });
    number(layered, layer);
}

// Inversions, counted with a Fenwick tree: pieces sorted by their upper end, lower ends ranked.
std::size_t crossings_of(std::vector<std::pair<std::size_t, std::size_t>> ends, std::size_t width) {
    std::sort(ends.begin(), ends.end());
    std::vector<std::size_t> tree(width + 1);
    std::size_t found = 0;
    std::size_t before = 0;
    for (const auto& end : ends) {
        std::size_t not_right = 0;
        for (std::size_t i = end.second + 1; i > 0; i &= i - 1) not_right += tree[i];
        found += before - not_right;
        for (std::size_t i = end.second + 1; i <= width; i += i & (~i + 1)) ++tree[i];
        ++before;
    }
    return found;
}

}  // namespace

std::size_t crossings(const Layered& layered) {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> ends(layered.layers.size());
    for (const Piece& piece : layered.pieces) {
        const Cell& upper = layered.cells[piece.upper];
        ends[upper.layer].emplace_back(upper.order, layered.cells[piece.lower].order);
    }
    std::size_t sum = 0;
    for (std::size_t i = 0; i + 1 < layered.layers.size(); ++i) {
        sum += crossings_of(std::move(ends[i]), layered.layers[i + 1].size());
    }
    return sum;
}

void order_layers(Layered& layered) {
    const Neighbours near = neighbours_of(layered);
    begin(layered, near);
    auto best = layered.layers;
    std::size_t fewest = crossings(layered);
    const std::size_t count = layered.layers.size();
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
        if (sweep % 2 == 0) {
            for (std::size_t i = 1; i < count; ++i) sort_layer(layered, i, near.above);
        } else {
            for (std::size_t i = count - 1; i-- > 0;) sort_layer(layered, i, near.below);
        }
        const std::size_t found = crossings(layered);
        if (found >= fewest) continue;
        fewest = found;
        best = layered.layers;
    }
    layered.layers = std::move(best);
    for (const auto& layer : layered.layers) number(layered, layer);
}

}  // namespace pawl::draw
