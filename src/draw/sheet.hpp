#pragma once

#include "draw/canvas.hpp"
#include "draw/channel.hpp"
#include "draw/place.hpp"
#include "draw/ports.hpp"

#include <vector>

namespace pawl::draw {

// How long names may be on a sheet.
struct SheetLimits {
    int name_max = 36;
    int label_max = 24;
};

// One try to draw a graph on a terminal: measures at once, paints when asked to.
class Sheet {
public:
    Sheet(const Graph& graph, const Layered& layered, SheetLimits limits);

    int width() const { return width_; }
    Canvas paint() const;

private:
    // Above layer n is channel n; the last channel is below all of them.
    struct Channel {
        std::vector<Wire> wires;
        std::vector<std::size_t> arrows;  // of each wire
        std::vector<bool> heads;          // of each wire: ends at a box
        Routing routing;
        bool labels = false;  // an arrow that leaves the layer above has one
        int top = 0;          // first row
        int rows() const;
    };
    struct BackWay {
        std::size_t arrow = 0;
        int margin = 0;  // its column
    };

    void measure();
    void connect();
    void add_back_ways();
    void stack();
    std::string label_of(std::size_t arrow) const;
    int box_width(std::size_t box) const;

    void paint_box(Canvas& canvas, std::size_t box) const;
    void paint_channel(Canvas& canvas, std::size_t at) const;
    void paint_wire(Canvas& canvas, const Channel& channel, std::size_t wire) const;
    void paint_labels(Canvas& canvas) const;
    void paint_passing(Canvas& canvas) const;
    void paint_margin(Canvas& canvas) const;
    Ink ink_of(std::size_t arrow) const;

    const Graph& graph_;
    const Layered& layered_;
    SheetLimits limits_;
    std::vector<Ports> ports_;
    Room room_;
    std::vector<int> x_;  // left side, by cell
    Ends ends_;
    std::vector<Channel> channels_;
    std::vector<int> layer_top_;  // first row of a layer's boxes
    std::vector<BackWay> back_ways_;
    int width_ = 0;
};

}  // namespace pawl::draw
