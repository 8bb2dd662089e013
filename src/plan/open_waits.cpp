#include "plan/open_waits.hpp"

#include "plan/waits.hpp"

namespace pawl::plan {

std::vector<OpenWait> open_waits(const Definition& definition, const RunState& state) {
    std::vector<OpenWait> waits;
    for (const Token& token : state.tokens) {
        const bool known = token.node < definition.nodes.size();
        if (!token.waits_for.for_time()) {
            const auto* lock = token.waits_for.as<events::LockWait>();
            std::string key = lock == nullptr ? std::string() : lock->key;
            std::string kind(token.waits_for.name());
            waits.push_back({token.id, token.visit, std::move(kind), std::move(key)});
        } else if (known && definition.nodes[token.node].type == NodeType::lock) {
            waits.push_back({token.id, token.visit, "entering", {}});
        }
    }
    for (const HeldLock& lock : state.locks) waits.push_back({lock.place, 0, "inside", lock.key});
    return waits;
}

}  // namespace pawl::plan
