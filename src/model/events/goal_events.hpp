#pragma once

#include "model/events/log_codec.hpp"

// What the log says about the goals of a run.
namespace pawl::events {

// Beside the events that would end a run: its goals with a key or a filter, as AwaitedEvent each,
// with the goal's name as the handle. They only count.
struct CountedGoals {
    json::array goals;

    PAWL_LOGGED(CountedGoals, (always, goals));
};

}  // namespace pawl::events
