#include "draw/mermaid.hpp"

#include "draw/canvas.hpp"
#include "draw/layers.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::draw {

namespace {

constexpr int label_max = 60;

// Inside quotes, Mermaid reads entities (#35;), HTML and Markdown.
std::string in_quotes(std::string_view text) {
    constexpr std::string_view special = "\"#&<>`*_\\[](){}|;";
    std::string out = "\"";
    for (const char c : fit(text, label_max)) {
        if (special.find(c) == std::string_view::npos) {
            out += c;
        } else {
            out += fmt::format("#{};", static_cast<int>(c));
        }
    }
    return out + "\"";
}

struct Shape {
    const char* open;
    const char* close;
};

Shape shape_of(Kind kind) {
    switch (kind) {
        case Kind::effect:
        case Kind::off: return {"[", "]"};
        case Kind::decision: return {"{", "}"};
        case Kind::wait: return {"([", "])"};
        case Kind::person: return {"[/", "/]"};
        case Kind::flow: return {"[[", "]]"};
        case Kind::stop: return {"((", "))"};
    }
    return {"[", "]"};
}

}  // namespace

std::string to_mermaid(const Graph& graph) {
    const auto back = back_arrows(graph);
    std::string out = "flowchart TD\n";
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        const Box& box = graph.boxes[i];
        const auto [open, close] = shape_of(box.kind);
        std::string words = in_quotes(box.title);
        if (!box.detail.empty()) {
            words.pop_back();
            words += "<br/>" + in_quotes(box.detail).substr(1);
        }
        out += fmt::format("    n{}{}{}{}:::{}\n", i, open, words, close, name(box.kind));
    }
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
        const Arrow& arrow = graph.arrows[i];
        const char* shaft = back[i] || arrow.aside ? "-.->" : "-->";
        const std::string label =
            arrow.label.empty() ? "" : fmt::format("|{}|", in_quotes(arrow.label));
        out += fmt::format("    n{} {}{} n{}\n", arrow.from, shaft, label, arrow.to);
    }
    // Colours that can be read on a light and on a dark page.
    out +=
        "    classDef effect stroke:#64748b\n"
        "    classDef decision stroke:#ca8a04\n"
        "    classDef wait stroke:#2563eb\n"
        "    classDef person stroke:#c026d3\n"
        "    classDef flow stroke:#0891b2\n"
        "    classDef stop stroke:#dc2626\n";
    const bool any_off = std::any_of(graph.boxes.begin(), graph.boxes.end(), [](const Box& box) {
        return box.kind == Kind::off;
    });
    if (any_off) out += "    classDef off stroke:#94a3b8,stroke-dasharray:4 3\n";
    return out;
}

}  // namespace pawl::draw
