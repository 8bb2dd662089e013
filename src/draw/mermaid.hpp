#pragma once

#include "draw/graph.hpp"

#include <string>

namespace pawl::draw {

// A Mermaid flowchart, as GitHub and many editors show it inside ```mermaid. Whatever names and
// labels hold is written so that it stays text.
std::string to_mermaid(const Graph& graph);

}  // namespace pawl::draw
