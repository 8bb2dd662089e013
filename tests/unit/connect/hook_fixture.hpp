#pragma once

#include "connect/hook.hpp"
#include "unit/connect/fixture.hpp"

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

// "kind", with "!" when the address does not work; "-" for no fact.
inline std::string word(std::string_view connector, const Account& with, const HookRequest& hook) {
    const auto read = facts(connector, with, hook);
    if (read.empty()) return "-";
    return std::string(name(read[0].kind)) + (read[0].detail.contains("permanent") ? "!" : "");
}

}  // namespace pawl::connect
