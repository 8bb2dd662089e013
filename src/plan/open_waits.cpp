#include "plan/open_waits.hpp"

#include "plan/waits.hpp"

namespace pawl::plan {

std::vector<OpenWait> open_waits(const RunState& state) {
    std::vector<OpenWait> waits;
    for (const Token& token : state.tokens) {
        if (token.waits_for.is_null()) continue;
        waits.push_back({token.id, token.visit, std::string(waited_kind(token.waits_for))});
    }
    return waits;
}

}  // namespace pawl::plan
