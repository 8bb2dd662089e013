#pragma once

#include "engine/start/start_request.hpp"
#include "store/repos/inbox.hpp"

#include <optional>
#include <string>

namespace pawl::engine {

// What an event means for a workflow: a run to start, nothing, or why it cannot be started.
struct Triggered {
    std::optional<StartRequest> start;
    std::string problem;
};

// Looks at the triggers of a workflow version in order; the first whose filter holds counts. The
// run's correlation key is made of the event's id, so that one event starts one run of a workflow
// however often this is done. Templates and filters see `event` (id, name, key, subject, source,
// time, data), its members by themselves, and then the members of its data. What `told` says of the
// conditions of a trigger counts.
Triggered apply_triggers(
    ProgramPtr program, const store::InboxEvent& event, const store::ToldConditions& told = {}
);

}  // namespace pawl::engine
