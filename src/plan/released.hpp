#pragma once

#include "plan/run_state.hpp"

#include <string>
#include <vector>

namespace pawl::plan {

// What a run did before an event of its log and has undone since.
struct Released {
    boost::json::array records;      // for run_started of a run that begins there
    std::vector<std::string> steps;  // for a person
};
Released released_before(
    const Definition& definition, const std::vector<Event>& log, std::int32_t before
);

}  // namespace pawl::plan
