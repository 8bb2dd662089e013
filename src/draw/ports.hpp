#pragma once

#include "draw/layers.hpp"
#include "draw/place.hpp"

#include <optional>
#include <vector>

namespace pawl::draw {

// Where an arrow touches a box.
struct Port {
    std::size_t arrow = 0;
    std::optional<std::size_t> piece;  // none: it goes around, as back arrows do
    int least = 1;                     // columns that it needs, for its label
    int begin = 0;                     // its share of the box's side, from the left of the box
    int end = 0;                       // the last column of it
    int middle() const { return (begin + end) / 2; }
};

// The arrows of one box: what comes in at the top and goes out at the bottom, from left to right.
struct Ports {
    std::vector<Port> in;
    std::vector<Port> out;
};

// In the order of the cells they lead to, so that they do not cross at the box; back arrows last.
std::vector<Ports> ports_of(const Graph& graph, const Layered& layered);

// The narrowest side that has room for all of them, with one free column between them.
int least_side(const std::vector<Port>& ports);
// Shares a side of the box out: columns `first` to `first + size - 1`.
void share_out(std::vector<Port>& ports, int first, int size);

// Shares both sides of a box out, but for `margin` at each end, and notes where its pieces touch
// it.
void place_ports(Ports& ports, int margin, int width, Room& room);

// Where the pieces and the back arrows begin and end, once the cells have their places.
struct Ends {
    std::vector<int> upper;  // by piece
    std::vector<int> lower;
    std::vector<int> out;  // by arrow: where it leaves its box
    std::vector<int> in;   // by arrow: where it comes to its box
};

// A piece is straight where the shares of its two ports overlap. `passing` is the middle of a cell
// that an arrow passes through.
Ends ends_of(
    const Layered& layered,
    const std::vector<Ports>& ports,
    const std::vector<int>& left,
    int passing
);

}  // namespace pawl::draw
