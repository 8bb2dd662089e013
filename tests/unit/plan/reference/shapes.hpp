#pragma once

#include "base/rng.hpp"
#include "graph.hpp"

#include <functional>

namespace pawl::reference {

// All shapes of exactly `size` places whose links lead from a lower to a higher one and in which
// every place can be reached, one of each kind that looks the same but for the numbering. Joins
// stand where at least two links meet. There are 51,505 of four places and 9,118,226 of five.
void for_each_shape(int size, const std::function<void(const Shape&)>& visit);

// What stands around a shape: its ends lead back to its beginning, or to a loop or a foreach whose
// body it is, after which comes one more step.
enum class Around { circle, loop, foreach_at_once, foreach_in_turn };
inline constexpr Around all_around[] = {
    Around::circle, Around::loop, Around::foreach_at_once, Around::foreach_in_turn};
Shape surrounded(const Shape& shape, Around around);

// One such shape, or one with a link back, from a seed.
Shape random_shape(Rng& rng, int size, bool with_link_back);

}  // namespace pawl::reference
