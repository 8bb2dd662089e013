#pragma once

#include "draw/graph.hpp"

#include <string>

namespace pawl::draw {

struct TextStyle {
    int width = 80;  // of the terminal; the drawing is not wider
    bool color = false;
};

// Boxes and arrows in Unicode, layer by layer from top to bottom; arrows back up are dashed. A
// graph that does not fit is narrowed: shorter names, fewer boxes side by side. What cannot be
// drawn in that width becomes an outline.
std::string to_text(const Graph& graph, TextStyle style = {});

// One line for a box and one for each of its arrows. Fits into any width.
std::string to_outline(const Graph& graph, TextStyle style = {});

}  // namespace pawl::draw
