#include "plan/locks.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

std::vector<HeldLock>::const_iterator find_lock(
    const RunState& state, TokenId token, std::string_view key
) {
    const auto own =
        std::find_if(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
            return lock.token == token && lock.key == key;
        });
    if (own != state.locks.end()) return own;
    return std::find_if(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
        return lock.key == key;
    });
}

}  // namespace

void enter_lock(RunState& state, TokenId token, std::string_view key) {
    state.locks.push_back({token, token, std::string(key)});
}

void leave_lock(RunState& state, TokenId token, std::string_view key) {
    const auto lock = find_lock(state, token, key);
    if (lock != state.locks.end()) state.locks.erase(lock);
}

void pass_lock(RunState& state, const Token& token, NodeType type, std::string_view key) {
    // What it is in must be given up when the run ends.
    state.has_waited = true;
    if (key.empty()) return;
    if (type == NodeType::lock) {
        enter_lock(state, token.id, key);
    } else {
        leave_lock(state, token.id, key);
    }
}

void hand_over_locks(RunState& state, TokenId from, TokenId to) {
    for (HeldLock& lock : state.locks) {
        if (lock.token == from) lock.token = to;
    }
}

TokenId place_to_leave(const RunState& state, TokenId token, std::string_view key) {
    const auto lock = find_lock(state, token, key);
    return lock == state.locks.end() ? token : lock->place;
}

}  // namespace pawl::plan
