#pragma once

#include "plan/crossing.hpp"
#include "plan/planner.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace pawl::plan {

// A version that a run is or was pinned to.
using Pin = std::pair<std::int32_t, const Definition*>;

// The versions that a log was pinned to, the last one being the current one; each once. Empty: its
// first event does not name one.
std::vector<std::int32_t> pinned_versions(const std::vector<Event>& log);
// The current one; 0 when there is none.
std::int32_t pinned_version(const std::vector<Event>& log);

// Folds a log that may have gone through several versions: each part is read with the version that
// wrote it. `pins` holds all of pinned_versions. `look` sees the state before each event.
using Look = std::function<void(const RunState&, const Event&)>;
RunState fold(
    const std::vector<Pin>& pins,
    const std::vector<Event>& log,
    const Look& look = nullptr,
    RunState known = {}
);

// The same log with the names that its nodes have in the current version, where they are known: for
// readers.
std::vector<Event> renamed(std::vector<Event> log);

// What a message `repin` asks for: {version, map?, by?, job?}.
struct RepinOrder {
    std::int32_t version = 0;
    NodeMap map;
};
RepinOrder repin_order(const boost::json::value& data);

// The event by which a run becomes one of another version, folded into `state`; or by which that is
// refused, with the reason, because it would break.
Event repin(
    const Crossing& crossing, RunState& state, const boost::json::value& order, const Moment& moment
);
// The same where the version is not known.
Event refuse_repin(
    RunState& state,
    const boost::json::value& order,
    const std::string& reason,
    const Moment& moment
);
bool was_refused(const Event& repinned);

}  // namespace pawl::plan
