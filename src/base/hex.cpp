#include "base/hex.hpp"

namespace pawl {

namespace {

void add(std::string& text, std::uint8_t byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[byte >> 4];
    text += digits[byte & 15];
}

}  // namespace

std::string hex_of(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) add(text, byte);
    return text;
}

std::string hex_of(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char byte : bytes) add(text, static_cast<std::uint8_t>(byte));
    return text;
}

}  // namespace pawl
