#pragma once

#include "connect/hook.hpp"
#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {

inline std::vector<Fact> facts(
    std::string_view connector, const Account& with, const HookRequest& hook
) {
    auto read = read_hook(shipped(connector), with, hook);
    if (!read) ADD_FAILURE() << connector << ": " << to_string(read.error());
    return read ? *read : std::vector<Fact>();
}

inline Errc refused_hook(std::string_view connector, const Account& with, const HookRequest& hook) {
    const auto read = read_hook(shipped(connector), with, hook);
    return read ? Errc::internal : read.error().code;
}

inline bool is_permanent(const Fact& fact) {
    const json::value* said = fact.detail.if_contains("permanent");
    return said != nullptr && *said == true;
}

// "kind", with "!" when the address does not work; "-" for no fact.
inline std::string word(std::string_view connector, const Account& with, const HookRequest& hook) {
    const auto read = facts(connector, with, hook);
    if (read.empty()) return "-";
    return std::string(name(read[0].kind)) + (is_permanent(read[0]) ? "!" : "");
}

}  // namespace pawl::connect
