#pragma once

#include "base/json.hpp"
#include "model/events/signal_data.hpp"
#include "plan/run_state.hpp"

#include <string>
#include <string_view>

namespace pawl::plan {

// What a child run could not undo is told to the run that called it: as [{run, step, by, error}] in
// the cause of its error.

// The error of a call whose child ended like this.
StepError child_error(const events::ChildSignal& child);
// What all children of a run could not undo, as far as it was told.
boost::json::array not_undone_by_children(const RunState& state);
// The error of a run that undid what it did, and called such children; null when there are none.
boost::json::value children_error(boost::json::array left);
// Those of them that the error of the run does not say.
boost::json::array untold_by_children(const RunState& state);
// One of them as a part of a sentence.
std::string describe_not_undone(const boost::json::value& one);

}  // namespace pawl::plan
