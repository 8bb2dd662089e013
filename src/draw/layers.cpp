#include "draw/layers.hpp"

#include "draw/order.hpp"

#include <algorithm>

namespace pawl::draw {

namespace {

using Lists = std::vector<std::vector<std::size_t>>;

// Arrows by the box they leave.
Lists ways_out(const Graph& graph) {
    Lists out(graph.boxes.size());
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) out[graph.arrows[i].from].push_back(i);
    return out;
}

// A walk in depth from box 0, then from every box not reached yet.
class Walk {
public:
    explicit Walk(const Graph& graph)
        : graph_(graph),
          out_(ways_out(graph)),
          state_(graph.boxes.size()),
          back_(graph.arrows.size()) {
        for (std::size_t root : roots()) visit(root);
    }

    std::vector<bool> take() && { return std::move(back_); }

private:
    enum class State : char { fresh, open, done };
    struct Open {
        std::size_t box;
        std::size_t next = 0;  // of its ways out
    };

    // Boxes without a way in (compensations) before boxes that only a circle leads to.
    std::vector<std::size_t> roots() const {
        std::vector<bool> led_to(graph_.boxes.size());
        for (const Arrow& arrow : graph_.arrows) led_to[arrow.to] = true;
        std::vector<std::size_t> roots;
        if (!graph_.boxes.empty()) roots.push_back(0);
        for (const bool wanted : {false, true}) {
            for (std::size_t i = 1; i < led_to.size(); ++i) {
                if (led_to[i] == wanted) roots.push_back(i);
            }
        }
        return roots;
    }

    void visit(std::size_t root) {
        if (state_[root] != State::fresh) return;
        std::vector<Open> open{{root}};
        state_[root] = State::open;
        while (!open.empty()) {
            Open& top = open.back();
            if (top.next == out_[top.box].size()) {
                state_[top.box] = State::done;
                open.pop_back();
                continue;
            }
            const std::size_t arrow = out_[top.box][top.next++];
            const std::size_t to = graph_.arrows[arrow].to;
            if (state_[to] == State::open) back_[arrow] = true;
            if (state_[to] != State::fresh) continue;
            state_[to] = State::open;
            open.push_back({to});
        }
    }

    const Graph& graph_;
    Lists out_;
    std::vector<State> state_;
    std::vector<bool> back_;
};

// Every arrow that is not back leads to a later box; box 0 as early as it can be.
std::vector<std::size_t> topological(const Graph& graph, const std::vector<bool>& back) {
    const Lists out = ways_out(graph);
    std::vector<std::size_t> incoming(graph.boxes.size());
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
        if (!back[i]) ++incoming[graph.arrows[i].to];
    }
    std::vector<std::size_t> sorted;
    for (std::size_t i = 0; i < incoming.size(); ++i) {
        if (incoming[i] == 0) sorted.push_back(i);
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t arrow : out[sorted[i]]) {
            const std::size_t to = graph.arrows[arrow].to;
            if (!back[arrow] && --incoming[to] == 0) sorted.push_back(to);
        }
    }
    return sorted;
}

// Each box one below the lowest that leads to it, and lower where a layer is full.
std::vector<std::size_t> layer_numbers(
    const Graph& graph, const std::vector<bool>& back, std::size_t max
) {
    const Lists out = ways_out(graph);
    std::vector<std::size_t> layer(graph.boxes.size());
    std::vector<std::size_t> filled(graph.boxes.size() + 1);
    for (std::size_t box : topological(graph, back)) {
        while (max > 0 && filled[layer[box]] >= max) ++layer[box];
        ++filled[layer[box]];
        for (std::size_t arrow : out[box]) {
            if (back[arrow]) continue;
            std::size_t& below = layer[graph.arrows[arrow].to];
            below = std::max(below, layer[box] + 1);
        }
    }
    return layer;
}

}  // namespace

std::vector<bool> back_arrows(const Graph& graph) {
    return Walk(graph).take();
}

std::optional<Layered> arrange(const Graph& graph, LayerLimits limits) {
    Layered layered;
    layered.back = back_arrows(graph);
    const auto layer = layer_numbers(graph, layered.back, limits.boxes_max);
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) layered.cells.push_back({i, layer[i], 0});
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
        if (layered.back[i]) continue;
        const Arrow& arrow = graph.arrows[i];
        std::size_t upper = arrow.from;
        for (std::size_t at = layer[arrow.from] + 1; at < layer[arrow.to]; ++at) {
            if (layered.cells.size() >= limits.cells_max) return std::nullopt;
            layered.cells.push_back({std::nullopt, at, 0});
            layered.pieces.push_back({upper, layered.cells.size() - 1, i});
            upper = layered.cells.size() - 1;
        }
        layered.pieces.push_back({upper, arrow.to, i});
    }
    order_layers(layered);
    return layered;
}

}  // namespace pawl::draw
