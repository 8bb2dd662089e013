#pragma once

#include "plan/run_state.hpp"

#include <string_view>

namespace pawl::plan {

// Critical sections: which tokens of a run are in one. The store knows the waiting tokens of all
// runs; a place there belongs to the token that took it.

void enter_lock(RunState& state, TokenId token, std::string_view key);
// Leaves its own, or else one of the run's: what a branch entered, another one may leave.
void leave_lock(RunState& state, TokenId token, std::string_view key);
// A node of this type was passed.
void pass_lock(RunState& state, const Token& token, NodeType type, std::string_view key);
// What a token is in goes over to the one that it joined.
void hand_over_locks(RunState& state, TokenId from, TokenId to);
// Whose place is given up when this token leaves.
TokenId place_to_leave(const RunState& state, TokenId token, std::string_view key);

}  // namespace pawl::plan
