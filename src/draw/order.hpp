#pragma once

#include "draw/layers.hpp"

namespace pawl::draw {

// Fills `layers` and every cell's `order`: few crossings, and ways out of a box from left to right
// as they were written where that costs nothing.
void order_layers(Layered& layered);

// How many pairs of pieces cross.
std::size_t crossings(const Layered& layered);

}  // namespace pawl::draw
