#pragma once

#include "store/repos/schedules.hpp"

#include <vector>

namespace pawl::app {

// A schedule that no worker has looked at yet will fire at its next slot all the same.
store::ScheduleDetails with_next(store::ScheduleDetails schedule);

// The next few, as far as it fires at all.
std::vector<Instant> upcoming_slots(const store::ScheduleDetails& schedule);

// The newest few up to the last one that was fired, newest first.
std::vector<Instant> past_slots(const store::ScheduleDetails& schedule);

}  // namespace pawl::app
