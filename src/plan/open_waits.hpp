#pragma once

#include "plan/run_state.hpp"

#include <string>
#include <vector>

namespace pawl::plan {

// A token that waits for somebody outside the run, so that rows tell others about it.
struct OpenWait {
    TokenId token = 0;
    std::uint32_t visit = 0;
    std::string kind;  // event, task, lock ...

    bool operator==(const OpenWait&) const = default;
};

std::vector<OpenWait> open_waits(const RunState& state);

}  // namespace pawl::plan
