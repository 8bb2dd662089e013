#pragma once

#include "draw/layers.hpp"

#include <vector>

namespace pawl::draw {

// How much room things take, in whatever unit the drawing has.
struct Room {
    std::vector<int> width;       // by cell
    std::vector<int> upper_port;  // by piece: where it leaves its upper cell, from that one's left
    std::vector<int> lower_port;  // by piece: where it comes to its lower cell
    int gap = 3;                  // between two cells
};

// The left side of every cell, from 0 on: pieces as straight as the order of the cells allows.
std::vector<int> place(const Layered& layered, const Room& room);

}  // namespace pawl::draw
