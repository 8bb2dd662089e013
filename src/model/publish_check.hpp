#pragma once

#include "model/definition.hpp"
#include "model/graph_shapes.hpp"

namespace pawl {

// What is refused when a definition is published, beyond what can be read: versions that were
// published before these rules go on being read.
void check_published(const Definition& definition, const ShapeProblems& problems);

// Its parts: names that stand for nothing or for what comes later, and contents that no step can
// use.
void check_names(const Definition& definition, const ShapeProblems& problems);
void check_contents(const Definition& definition, const ShapeProblems& problems);

// Nodes that the items of a foreach, or what is in a scope, come to.
std::vector<bool> body_of(const Definition& definition, NodeIndex group);

}  // namespace pawl
