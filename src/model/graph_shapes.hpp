#pragma once

#include "model/definition.hpp"

#include <functional>
#include <string_view>

namespace pawl {

// Who hears about what is wrong: the index of a node or of an edge, and the sentence.
struct ShapeProblems {
    std::function<void(std::size_t, std::string_view)> node;
    std::function<void(std::size_t, std::string_view)> edge;
};

// Checks that nodes are connected as their types require: handles that exist, joins that can be
// complete, bodies for loops, compensations without incoming edges.
void check_shapes(const Definition& definition, const ShapeProblems& problems);

}  // namespace pawl
