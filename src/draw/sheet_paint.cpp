#include "draw/sheet.hpp"

#include <algorithm>

namespace pawl::draw {

namespace {

Ink frame_ink(Kind kind) {
    switch (kind) {
        case Kind::effect: return Ink::plain;
        case Kind::decision: return Ink::yellow;
        case Kind::wait: return Ink::blue;
        case Kind::person: return Ink::magenta;
        case Kind::flow: return Ink::cyan;
        case Kind::stop: return Ink::red;
        case Kind::off: return Ink::dim;
    }
    return Ink::plain;
}

}  // namespace

Ink Sheet::ink_of(std::size_t arrow) const {
    return graph_.arrows[arrow].aside ? Ink::red : Ink::dim;
}

Canvas Sheet::paint() const {
    Canvas canvas;
    // Vertical lines come last: where two cross, they are on top.
    for (std::size_t i = 0; i < channels_.size(); ++i) paint_channel(canvas, i);
    paint_passing(canvas);
    paint_margin(canvas);
    for (std::size_t i = 0; i < graph_.boxes.size(); ++i) paint_box(canvas, i);
    paint_labels(canvas);
    return canvas;
}

void Sheet::paint_box(Canvas& canvas, std::size_t box) const {
    const Box& what = graph_.boxes[box];
    const Ink ink = frame_ink(what.kind);
    const int left = x_[box];
    const int right = left + room_.width[box] - 1;
    const int top = layer_top_[layered_.cells[box].layer];
    const char32_t across = what.kind == Kind::off ? U'╌' : U'─';
    const char32_t down = what.kind == Kind::off ? U'╎' : U'│';
    for (int x = left + 1; x < right; ++x) {
        canvas.put(x, top, across, ink);
        canvas.put(x, top + 3, across, ink);
        canvas.put(x, top + 1, U' ');
        canvas.put(x, top + 2, U' ');
    }
    for (const int y : {top + 1, top + 2}) {
        canvas.put(left, y, down, ink);
        canvas.put(right, y, down, ink);
    }
    canvas.put(left, top, U'┌', ink);
    canvas.put(right, top, U'┐', ink);
    canvas.put(left, top + 3, U'└', ink);
    canvas.put(right, top + 3, U'┘', ink);
    canvas.write(left + 2, top + 1, fit(what.title, limits_.name_max), Ink::bold);
    canvas.write(left + 2, top + 2, fit(what.detail, limits_.name_max), Ink::dim);
    for (const Port& port : ports_[box].out) canvas.put(ends_.out[port.arrow], top + 3, U'┬', ink);
}

void Sheet::paint_channel(Canvas& canvas, std::size_t at) const {
    const Channel& channel = channels_[at];
    const int first = channel.top + (channel.labels ? 1 : 0);
    for (std::size_t i = 0; i < channel.wires.size(); ++i) {
        for (const Leg& leg : channel.routing.legs[i]) {
            const bool dashed = layered_.back[channel.arrows[i]];
            const Ink ink = ink_of(channel.arrows[i]);
            canvas.across(leg.begin, leg.end, first + leg.track, dashed, ink);
        }
    }
    for (std::size_t i = 0; i < channel.wires.size(); ++i) paint_wire(canvas, channel, i);
}

// The vertical parts of a wire, its corners and its head.
void Sheet::paint_wire(Canvas& canvas, const Channel& channel, std::size_t at) const {
    const Wire& wire = channel.wires[at];
    const std::size_t arrow = channel.arrows[at];
    const Ink ink = ink_of(arrow);
    const bool dashed = layered_.back[arrow];
    const int first = channel.top + (channel.labels ? 1 : 0);
    const int last = channel.top + channel.rows() - 1;
    const auto& legs = channel.routing.legs[at];
    int row = channel.top;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        const int track = first + leg.track;
        const bool right = leg.end > leg.begin;
        if (i > 0 || wire.from_top) {
            canvas.down(leg.begin, row, track, dashed, ink);
            canvas.put(leg.begin, track, right ? U'╰' : U'╯', ink);
        }
        const bool turns_down = i + 1 < legs.size() || wire.to_bottom;
        if (turns_down) canvas.put(leg.end, track, right ? U'╮' : U'╭', ink);
        row = track + 1;
    }
    if (!wire.to_bottom) return;
    if (row <= last) canvas.down(wire.end, row, last, dashed, ink);
    if (channel.heads[at]) canvas.put(wire.end, last, U'▼', ink);
}

// Below its port, in the place of the line.
void Sheet::paint_labels(Canvas& canvas) const {
    for (std::size_t box = 0; box < graph_.boxes.size(); ++box) {
        const int row = channels_[layered_.cells[box].layer + 1].top;
        for (const Port& port : ports_[box].out) {
            const std::string label = label_of(port.arrow);
            if (label.empty()) continue;
            const int size = columns_of(label);
            const int left = x_[box] + port.begin;
            const int right = x_[box] + port.end - size + 1;
            const int wanted = ends_.out[port.arrow] - size / 2;
            canvas.write(std::clamp(wanted, left, right), row, label, ink_of(port.arrow));
        }
    }
}

void Sheet::paint_passing(Canvas& canvas) const {
    for (const Piece& piece : layered_.pieces) {
        const Cell& cell = layered_.cells[piece.lower];
        if (cell.box) continue;
        const int top = layer_top_[cell.layer];
        canvas.down(x_[piece.lower], top, top + 3, false, ink_of(piece.arrow));
    }
}

void Sheet::paint_margin(Canvas& canvas) const {
    const auto row_of = [this](std::size_t at, std::size_t arrow, bool from_top) {
        const Channel& channel = channels_[at];
        for (std::size_t i = 0; i < channel.wires.size(); ++i) {
            // An arrow to its own box has its two ends in two channels that may be neighbours.
            if (channel.arrows[i] != arrow || channel.wires[i].from_top != from_top) continue;
            return channel.top + (channel.labels ? 1 : 0) + channel.routing.legs[i][0].track;
        }
        return channel.top;
    };
    for (const BackWay& way : back_ways_) {
        const Arrow& arrow = graph_.arrows[way.arrow];
        const Ink ink = ink_of(way.arrow);
        const int bottom = row_of(layered_.cells[arrow.from].layer + 1, way.arrow, true);
        const int top = row_of(layered_.cells[arrow.to].layer, way.arrow, false);
        canvas.down(way.margin, top, bottom, true, ink);
        canvas.put(way.margin, top, U'╮', ink);
        canvas.put(way.margin, bottom, U'╯', ink);
    }
}

}  // namespace pawl::draw
