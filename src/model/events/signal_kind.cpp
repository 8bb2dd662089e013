#include "model/events/signal_kind.hpp"

#include <array>
#include <cstddef>

namespace pawl {

namespace {

constexpr std::array<std::string_view, signal_kind_count> names{
    "unknown",
    "cancel",
    "pause",
    "resume",
    "skip",
    "repin",
    "event",
    "signal",
    "task",
    "child",
    "callback",
    "lock",
    "gather",
    "interrupted"};

}  // namespace

std::string_view name(SignalKind kind) {
    return names.at(static_cast<std::size_t>(kind));
}

SignalKind signal_kind(std::string_view name) {
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<SignalKind>(i);
    }
    return SignalKind::unknown;
}

}  // namespace pawl
