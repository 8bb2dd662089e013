#pragma once

#include "base/json.hpp"
#include "store/repos/schedules.hpp"

namespace pawl::app {

json::object to_json(const store::ScheduleDetails& schedule);
// The same with the next slots that it fires at.
json::object with_upcoming(const store::ScheduleDetails& schedule);

}  // namespace pawl::app
