#include "draw/svg.hpp"

#include "draw/canvas.hpp"
#include "draw/place.hpp"
#include "draw/ports.hpp"
#include "draw/svg_parts.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::draw {

namespace {

// In pixels. Letters are taken to be as wide as those of a common sans serif font, and then some.
constexpr int letter = 8;
constexpr int label_letter = 7;
constexpr int box_height = 46;
constexpr int layer_gap = 64;
constexpr int side = 24;  // around the whole
constexpr int icon_room = 40;
constexpr int name_max = 40;
constexpr int label_max = 30;
constexpr int passing = 4;  // half of what a passing arrow takes
constexpr int lane = 18;    // between two ways around

class Picture {
public:
    Picture(const Graph& graph, const Layered& layered)
        : graph_(graph), layered_(layered), ports_(ports_of(graph, layered)) {
        measure();
        for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
            if (layered.back[i]) ways_around_.push_back(i);
        }
    }

    std::string draw() {
        std::string body;
        for (std::size_t i = 0; i < graph_.arrows.size(); ++i) body += arrow(i);
        for (std::size_t i = 0; i < graph_.boxes.size(); ++i) body += box(i);
        const auto layers = static_cast<int>(layered_.layers.size());
        const int width = right_ + lane * static_cast<int>(ways_around_.size()) + 2 * side;
        const int height = layers * box_height + (layers - 1) * layer_gap + 2 * side + layer_gap;
        return svg::document(graph_.title, width, height, body);
    }

private:
    int box_width(std::size_t box) const {
        const Box& what = graph_.boxes[box];
        const int words = std::max(
            columns_of(fit(what.title, name_max)) * letter,
            columns_of(fit(what.detail, name_max)) * label_letter
        );
        const int ends = std::max(least_side(ports_[box].in), least_side(ports_[box].out));
        return std::max(words + icon_room + 12, ends + 20);
    }

    void measure() {
        room_.gap = 30;
        room_.width.assign(layered_.cells.size(), 2 * passing);
        room_.upper_port.assign(layered_.pieces.size(), passing);
        room_.lower_port.assign(layered_.pieces.size(), passing);
        for (std::size_t box = 0; box < graph_.boxes.size(); ++box) {
            Ports& ports = ports_[box];
            for (Port& port : ports.out) {
                const std::string label = fit(graph_.arrows[port.arrow].label, label_max);
                port.least = std::max(14, columns_of(label) * label_letter + 8);
            }
            for (Port& port : ports.in) port.least = 14;
            room_.width[box] = box_width(box);
            place_ports(ports, 10, room_.width[box], room_);
        }
        x_ = place(layered_, room_);
        ends_ = ends_of(layered_, ports_, x_, passing);
        for (std::size_t i = 0; i < x_.size(); ++i) {
            right_ = std::max(right_, x_[i] + room_.width[i]);
        }
    }

    int top(std::size_t cell) const {
        const auto layer = static_cast<int>(layered_.cells[cell].layer);
        return side + layer_gap / 2 + layer * (box_height + layer_gap);
    }

    std::string box(std::size_t at) const {
        const Box& what = graph_.boxes[at];
        svg::BoxLooks looks;
        looks.corner = {side + x_[at], top(at)};
        looks.width = room_.width[at];
        looks.height = box_height;
        looks.title = fit(what.title, name_max);
        looks.detail = fit(what.detail, name_max);
        looks.hint = what.title + ": " + what.detail;
        return svg::box(looks, what.kind);
    }

    std::string arrow(std::size_t at) const {
        const Arrow& what = graph_.arrows[at];
        const svg::Point begin{side + ends_.out[at], top(what.from) + box_height};
        const svg::Point end{side + ends_.in[at], top(what.to)};
        svg::ArrowLooks looks;
        looks.label = fit(what.label, label_max);
        looks.hint = fmt::format(
            "{} → {}{}{}",
            graph_.boxes[what.from].title,
            graph_.boxes[what.to].title,
            what.label.empty() ? "" : ": ",
            what.label
        );
        looks.aside = what.aside;
        looks.back = layered_.back[at];
        looks.path = looks.back ? around(at, begin, end) : through(at, begin, end);
        looks.label_at = {begin.x, begin.y + 15};
        return svg::arrow(looks);
    }

    std::string through(std::size_t arrow, svg::Point begin, svg::Point end) const {
        std::vector<svg::Point> points{begin};
        for (const Piece& piece : layered_.pieces) {
            if (piece.arrow != arrow || layered_.cells[piece.lower].box) continue;
            const int x = side + x_[piece.lower] + passing;
            points.push_back({x, top(piece.lower)});
            points.push_back({x, top(piece.lower) + box_height});
        }
        points.push_back(end);
        return svg::curve(points);
    }

    std::string around(std::size_t arrow, svg::Point begin, svg::Point end) const {
        const auto found = std::find(ways_around_.begin(), ways_around_.end(), arrow);
        const auto number = static_cast<int>(found - ways_around_.begin());
        const int x = side + right_ + lane * (number + 1);
        const int turn = 20 + number % 3 * 6;
        return svg::polyline(
            {begin,
             {begin.x, begin.y + turn},
             {x, begin.y + turn},
             {x, end.y - turn},
             {end.x, end.y - turn},
             end}
        );
    }

    const Graph& graph_;
    const Layered& layered_;
    std::vector<Ports> ports_;
    Room room_;
    std::vector<int> x_;  // left side, by cell
    Ends ends_;
    std::vector<std::size_t> ways_around_;
    int right_ = 0;
};

}  // namespace

std::string to_svg(const Graph& graph) {
    const auto layered = arrange(graph);
    if (!layered) return svg::too_large(graph.title, graph.boxes.size());
    return Picture(graph, *layered).draw();
}

}  // namespace pawl::draw
