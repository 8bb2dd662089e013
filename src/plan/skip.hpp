#pragma once

#include "plan/run_state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

// The nodes that a run stands on, in the order of the definition, each once.
std::vector<std::string> open_nodes(const Definition& definition, const RunState& state);

// Whether a skip of that node would do something to the run now.
struct SkipCheck {
    enum class Verdict { fine, unknown_node, not_open };
    Verdict verdict = Verdict::fine;
    std::string sentence;  // for a person; empty when it is fine
};
SkipCheck check_skip(const Definition& definition, const RunState& state, std::string_view node);

}  // namespace pawl::plan
