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

// The people a human step asks, from its rendered config: each name once, without excluded people,
// and the chain of escalation with its times. An error when no person could decide it.
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
