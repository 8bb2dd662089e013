#pragma once

#include "plan/run_state.hpp"

#include <string>
#include <vector>

namespace pawl::plan {

// A token that waits for something outside the run, or that others wait for: it has rows in tables.
struct OpenWait {
    TokenId token = 0;
    std::uint32_t visit = 0;
    // event, task, lock ...; "entering": a lock is being asked for; "inside": that one was got
    std::string kind;
    std::string key;  // of a lock

    bool operator==(const OpenWait&) const = default;
};

std::vector<OpenWait> open_waits(const Definition& definition, const RunState& state);

}  // namespace pawl::plan
