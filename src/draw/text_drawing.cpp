#include "draw/text_drawing.hpp"

#include "draw/sheet.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::draw {

namespace {

// From generous to narrow: names first, then boxes side by side.
struct Try {
    SheetLimits limits;
    std::size_t boxes_max;
};
constexpr Try tries[] = {
    {{36, 24}, 0},
    {{24, 14}, 0},
    {{24, 14}, 6},
    {{24, 14}, 4},
    {{24, 14}, 3},
    {{20, 10}, 2},
    {{16, 8}, 2},
    {{20, 10}, 1},
    {{12, 6}, 1},
};

Ink title_ink(const Arrow& arrow) {
    return arrow.aside ? Ink::red : Ink::dim;
}

}  // namespace

std::string to_text(const Graph& graph, TextStyle style) {
    for (const auto& [limits, boxes_max] : tries) {
        const auto layered = arrange(graph, {.boxes_max = boxes_max});
        if (!layered) break;
        const Sheet sheet(graph, *layered, limits);
        if (sheet.width() <= style.width) return sheet.paint().text(style.color);
    }
    return to_outline(graph, style);
}

std::string to_outline(const Graph& graph, TextStyle style) {
    const auto back = back_arrows(graph);
    std::vector<std::vector<std::size_t>> out(graph.boxes.size());
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) out[graph.arrows[i].from].push_back(i);
    Canvas canvas;
    int row = 0;
    for (std::size_t box = 0; box < graph.boxes.size(); ++box) {
        const std::string title = fit(graph.boxes[box].title, style.width);
        canvas.write(0, row, title, Ink::bold);
        const int at = columns_of(title) + 2;
        if (at < style.width) {
            canvas.write(at, row, fit(graph.boxes[box].detail, style.width - at), Ink::dim);
        }
        ++row;
        for (std::size_t arrow : out[box]) {
            const Arrow& what = graph.arrows[arrow];
            const char* shaft = back[arrow] ? "╌╌▶" : "──▶";
            const std::string label = what.label.empty() ? "" : fmt::format("[{}] ", what.label);
            const std::string line =
                fmt::format("  {} {}{}", shaft, label, graph.boxes[what.to].title);
            canvas.write(0, row++, fit(line, style.width), title_ink(what));
        }
    }
    return canvas.text(style.color);
}

}  // namespace pawl::draw
