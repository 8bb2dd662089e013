#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace pawl {

// How messages reach people.
inline constexpr std::array<std::string_view, 5> message_channels{
    "line", "sms", "email", "push", "webhook"};

inline bool is_message_channel(std::string_view name) {
    return std::find(message_channels.begin(), message_channels.end(), name) !=
           message_channels.end();
}

}  // namespace pawl
