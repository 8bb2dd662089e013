#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pawl {

// The number that the whole text is; none if it is not one, or is out of the type's range.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end) return std::nullopt;
    return number;
}

}  // namespace pawl
