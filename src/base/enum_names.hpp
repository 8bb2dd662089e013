#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace pawl {

// The names of the values of an enum, in their order; the first value is 0.
template <class Enum, std::size_t count>
struct EnumNames {
    std::array<std::string_view, count> names;

    constexpr std::string_view name(Enum value) const {
        const auto index = static_cast<std::size_t>(value);
        return index < count ? names[index] : "unknown";
    }

    constexpr std::optional<Enum> parse(std::string_view text) const {
        for (std::size_t i = 0; i < count; ++i) {
            if (names[i] == text) return static_cast<Enum>(i);
        }
        return std::nullopt;
    }
};

}  // namespace pawl
