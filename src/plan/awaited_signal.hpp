#pragma once

#include "plan/run_state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

// Whether a run has use for a signal of this name. It has when it waits for it, and when it waits
// for none yet and comes to such a wait later.
struct AwaitedSignal {
    std::string sentence;            // why it has not; empty: it has
    std::vector<std::string> names;  // those it waits for, now or else later
};

AwaitedSignal check_signal(
    const Definition& definition, const RunState& state, std::string_view name
);

}  // namespace pawl::plan
