#include "draw/sheet.hpp"

#include <algorithm>
#include <cstdlib>

namespace pawl::draw {

namespace {

constexpr int box_rows = 4;  // two of them are its frame
constexpr int gap = 3;

}  // namespace

int Sheet::Channel::rows() const {
    if (wires.empty()) return 0;
    const bool head = std::find(heads.begin(), heads.end(), true) != heads.end();
    return (labels ? 1 : 0) + routing.tracks + (head ? 1 : 0);
}

Sheet::Sheet(const Graph& graph, const Layered& layered, SheetLimits limits)
    : graph_(graph), layered_(layered), limits_(limits), ports_(ports_of(graph, layered)) {
    measure();
    connect();
    stack();
}

std::string Sheet::label_of(std::size_t arrow) const {
    return fit(graph_.arrows[arrow].label, limits_.label_max);
}

int Sheet::box_width(std::size_t box) const {
    const Box& what = graph_.boxes[box];
    const int words = std::max(
        columns_of(fit(what.title, limits_.name_max)),
        columns_of(fit(what.detail, limits_.name_max))
    );
    const int sides = std::max(least_side(ports_[box].in), least_side(ports_[box].out));
    return std::max(words + 4, sides + 2);
}

void Sheet::measure() {
    room_.gap = gap;
    room_.width.assign(layered_.cells.size(), 1);
    room_.upper_port.assign(layered_.pieces.size(), 0);
    room_.lower_port.assign(layered_.pieces.size(), 0);
    for (std::size_t box = 0; box < graph_.boxes.size(); ++box) {
        Ports& ports = ports_[box];
        for (Port& port : ports.out) port.least = std::max(1, columns_of(label_of(port.arrow)));
        room_.width[box] = box_width(box);
        place_ports(ports, 1, room_.width[box], room_);
    }
    x_ = place(layered_, room_);
    for (std::size_t i = 0; i < x_.size(); ++i) width_ = std::max(width_, x_[i] + room_.width[i]);
}

void Sheet::connect() {
    channels_.resize(layered_.layers.size() + 1);
    ends_ = ends_of(layered_, ports_, x_, 0);
    for (std::size_t i = 0; i < layered_.pieces.size(); ++i) {
        const Piece& piece = layered_.pieces[i];
        Channel& channel = channels_[layered_.cells[piece.lower].layer];
        channel.wires.push_back({ends_.upper[i], ends_.lower[i], true, true});
        channel.arrows.push_back(piece.arrow);
        channel.heads.push_back(layered_.cells[piece.lower].box.has_value());
        const bool leaves = layered_.cells[piece.upper].box.has_value();
        if (leaves && !graph_.arrows[piece.arrow].label.empty()) channel.labels = true;
    }
    add_back_ways();
    std::vector<int> margins;
    for (const BackWay& way : back_ways_) margins.push_back(way.margin);
    for (Channel& channel : channels_) channel.routing = route(channel.wires, margins);
}

// The shortest way goes inside, so that ways around do not cross more than they must.
void Sheet::add_back_ways() {
    for (std::size_t i = 0; i < graph_.arrows.size(); ++i) {
        if (layered_.back[i]) back_ways_.push_back({i, 0});
    }
    const auto span = [this](const BackWay& way) {
        const Arrow& arrow = graph_.arrows[way.arrow];
        return layered_.cells[arrow.from].layer - layered_.cells[arrow.to].layer;
    };
    std::stable_sort(back_ways_.begin(), back_ways_.end(), [&](const BackWay& a, const BackWay& b) {
        return span(a) < span(b);
    });
    for (BackWay& way : back_ways_) {
        const Arrow& arrow = graph_.arrows[way.arrow];
        width_ += 2;
        way.margin = width_ - 1;
        Channel& below = channels_[layered_.cells[arrow.from].layer + 1];
        below.wires.push_back({ends_.out[way.arrow], way.margin, true, false});
        below.arrows.push_back(way.arrow);
        below.heads.push_back(false);
        if (!arrow.label.empty()) below.labels = true;
        Channel& above = channels_[layered_.cells[arrow.to].layer];
        above.wires.push_back({way.margin, ends_.in[way.arrow], false, true});
        above.arrows.push_back(way.arrow);
        above.heads.push_back(true);
    }
}

// Gives rows to channels and layers, and makes room for wires that had to go aside.
void Sheet::stack() {
    int row = 0;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        channels_[i].top = row;
        row += channels_[i].rows();
        layer_top_.push_back(row);
        row += box_rows;
        for (const auto& legs : channels_[i].routing.legs) {
            for (const Leg& leg : legs) {
                width_ = std::max(width_, std::max(leg.begin, leg.end) + 1);
            }
        }
    }
}

}  // namespace pawl::draw
