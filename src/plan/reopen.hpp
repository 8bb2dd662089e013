#pragma once

#include "plan/run_state.hpp"

#include <string_view>

namespace pawl::plan {

// A retry tries failed items again where they failed: steps that an item has done stay done, and
// the one that failed keeps its idempotency key. While the log of the run before is folded, what
// stood in each failed item is kept for that.

// The event that is folded comes from the run that this one tries again.
bool is_copied(const RunState& state);
// An item is about to fail.
void keep_item(RunState& state, FrameId frame);
// A step of a kept item that was still under way has ended after all.
void note_kept_end(RunState& state, TokenId token, std::string_view handle);
// The last record is of a step of a kept item that may have taken place.
void note_kept_maybe(RunState& state, TokenId token);
// A failed item is over: it cannot go on where it stood when some of it was undone.
void note_kept_undone(RunState& state, FrameId frame);

// Whether all failures of a list come from the run before, so that its items are due again.
bool may_reopen(const RunState& state, const Iteration& iteration);
// Tries the failed items of a foreach again, as many at once as it says.
void reopen(const Definition& definition, RunState& state, TokenId token);
// The next one of them; false: it is not known any more.
bool begin_again(const Definition& definition, RunState& state, FrameId frame, NodeIndex node);

}  // namespace pawl::plan
