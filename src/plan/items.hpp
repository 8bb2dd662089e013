#pragma once

#include "plan/run_state.hpp"

#include <vector>

namespace pawl::plan {

// The items of a foreach, and the frames that their tokens are in; a scope is a list of one.

Frame* frame_of(RunState& state, FrameId id);
std::vector<TokenId> tokens_in(const RunState& state, FrameId frame);
bool any_within(const RunState& state, FrameId outer);
// A token of an item is gone: the item may end with it, or what it did is undone first.
void after_leaving(const Definition& definition, RunState& state, FrameId frame);
// An item gives up: all of its tokens go.
void fail_item(
    const Definition& definition, RunState& state, FrameId frame, const boost::json::value& error
);
// Begins as many items as may be under way at once.
void begin_more(const Definition& definition, RunState& state, TokenId token);
// The tokens that an item begins with.
void enter_item(const Definition& definition, RunState& state, FrameId frame, NodeIndex node);
// The items after those that have begun are left out.
void begin_no_more(RunState& state, FrameId item);
// Goes through the list that an event tells.
void begin_items(
    const Definition& definition, RunState& state, TokenId token, const events::ItemsListed& listed
);
// Whether a frame is that one, or an item of a foreach in it.
bool is_inside(const RunState& state, FrameId frame, FrameId around);
// A token of an item of this foreach that has not failed yet.
const Token* find_unfailed(const RunState& state, const Token& owner);

}  // namespace pawl::plan
