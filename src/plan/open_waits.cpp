#include "plan/open_waits.hpp"

#include "base/json.hpp"
#include "plan/waits.hpp"

namespace pawl::plan {

std::vector<OpenWait> open_waits(const Definition& definition, const RunState& state) {
    std::vector<OpenWait> waits;
    for (const Token& token : state.tokens) {
        const bool known = token.node < definition.nodes.size();
        if (!token.waits_for.is_null()) {
            std::string kind(waited_kind(token.waits_for));
            std::string key(kind == "lock" ? text_in(token.waits_for, "key") : "");
            waits.push_back({token.id, token.visit, std::move(kind), std::move(key)});
        } else if (known && definition.nodes[token.node].type == NodeType::lock) {
            waits.push_back({token.id, token.visit, "entering", {}});
        }
    }
    for (const HeldLock& lock : state.locks) waits.push_back({lock.place, 0, "inside", lock.key});
    return waits;
}

}  // namespace pawl::plan
