#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

namespace pawl {

// When a wait that is about time ends: {duration}, {until}, {local_time, weekdays, timezone},
// {until: {local_time, weekdays, timezone}} or {date, offset, local_time, timezone}, all rendered.
// Fails when a value is not what it should be; a zone under `until` is that of a person, and counts
// as UTC then.
Result<Instant> wait_end(const boost::json::object& config, Instant now);

}  // namespace pawl
