#pragma once

#include "model/definition.hpp"

#include <cstddef>
#include <optional>

namespace pawl::plan {

// Where a step stands, as far as it decides whose rounds it counts.
struct Standing {
    NodeIndex node = 0;
    // How many items it is in; one more than there are lists around its node when the node is a
    // list itself, with a child run for each item.
    std::size_t items = 0;
    bool counting = false;  // the node is a loop that has begun its rounds
};

// The loop whose round `index` is at this place, or nothing: there is none, or a list lies between.
// A node is in a round when every way to it leads through the way `each` of the loop, so what comes
// after a loop, also by a way out of its middle that others share, is outside.
std::optional<NodeIndex> loop_around(const Definition& definition, const Standing& standing);

}  // namespace pawl::plan
