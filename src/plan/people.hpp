#pragma once

#include "base/clock.hpp"
#include "model/events/task_wait.hpp"
#include "model/step_error.hpp"

#include <boost/json/object.hpp>
#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

// Whom a human step asks, out of its rendered config: each name once, without those who may not
// decide, and when it goes to whom else. An error when nobody could decide it.
boost::system::result<boost::json::object, StepError> people_asked(
    boost::json::object config, Instant now
);

// The votes on an open task, as pawl.act_on_task counts them.
struct Votes {
    std::vector<std::string> approved;
    std::vector<std::string> rejected;
};
// Why this person may not decide what a run waits for; empty: they may.
std::string refusal_of(const events::TaskWait& wait, std::string_view by);
// Notes a vote. What it decides: approved or rejected; empty: others are still asked.
std::string_view vote(const events::TaskWait& wait, Votes& votes, bool yes, const std::string& by);

}  // namespace pawl::plan
