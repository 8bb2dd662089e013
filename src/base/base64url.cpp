#include "base/base64url.hpp"

#include <cstdint>

namespace pawl {

namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '-') return 62;
    return c == '_' ? 63 : -1;
}

}  // namespace

std::string to_base64url(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char byte : bytes) {
        held = held << 8 | static_cast<unsigned char>(byte);
        for (bits += 8; bits >= 6;) {
            bits -= 6;
            text += letters[held >> bits & 63U];
        }
    }
    if (bits > 0) text += letters[held << (6 - bits) & 63U];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = value_of(c);
        if (value < 0) return std::nullopt;
        held = held << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(held >> bits & 0xffU);
    }
    const std::uint32_t left = held & ((1U << bits) - 1);
    return left == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace pawl
