#pragma once

#include "draw/graph.hpp"

#include <string>

namespace pawl::draw {

// A picture that stands alone: no script, no font and nothing else from outside. Light or dark as
// the reader's system is. Every box and every arrow has a title that pointers and screen readers
// show.
std::string to_svg(const Graph& graph);

}  // namespace pawl::draw
