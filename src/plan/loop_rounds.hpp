#pragma once

#include "plan/run_state.hpp"

#include <cstddef>
#include <string_view>

namespace pawl::plan {

// What a run remembers of the rounds of its circles.

// Counts the rounds of a loop that was passed by this handle.
void count_round(RunState& state, const Token& token, NodeType type, std::string_view handle);

// A token walks an edge. One that begins a circle anew is not late any more for the joins in it,
// and a loop that is entered from outside begins to count again.
void cross(const Definition& definition, RunState& state, TokenId token, std::size_t edge);

}  // namespace pawl::plan
