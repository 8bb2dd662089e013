#include "base/ids.hpp"

namespace pawl {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_dash_position(std::size_t i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

std::string to_string(const Uuid& uuid) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(36, '-');
    std::size_t at = 0;
    for (std::uint8_t byte : uuid.bytes) {
        if (is_dash_position(at)) ++at;
        text[at++] = digits[byte >> 4];
        text[at++] = digits[byte & 15];
    }
    return text;
}

std::optional<Uuid> parse_uuid(std::string_view text) {
    if (text.size() != 36) return std::nullopt;
    Uuid uuid;
    std::size_t byte = 0;
    for (std::size_t i = 0; i < 36;) {
        if (is_dash_position(i)) {
            if (text[i] != '-') return std::nullopt;
            ++i;
            continue;
        }
        const int high = hex_digit(text[i]);
        const int low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        uuid.bytes[byte++] = static_cast<std::uint8_t>(high * 16 + low);
        i += 2;
    }
    return uuid;
}

Uuid make_uuid7(std::uint64_t unix_ms, std::uint16_t rand_a, std::uint64_t rand_b) {
    Uuid uuid;
    for (std::size_t i = 0; i < 6; ++i) {
        uuid.bytes[i] = static_cast<std::uint8_t>(unix_ms >> (40 - 8 * i));
    }
    uuid.bytes[6] = static_cast<std::uint8_t>(0x70 | ((rand_a >> 8) & 0x0f));
    uuid.bytes[7] = static_cast<std::uint8_t>(rand_a);
    for (std::size_t i = 0; i < 8; ++i) {
        uuid.bytes[8 + i] = static_cast<std::uint8_t>(rand_b >> (56 - 8 * i));
    }
    uuid.bytes[8] = static_cast<std::uint8_t>(0x80 | (uuid.bytes[8] & 0x3f));
    return uuid;
}

std::uint64_t unix_ms_of(const Uuid& uuid7) {
    std::uint64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i) ms = ms << 8 | uuid7.bytes[i];
    return ms;
}

}  // namespace pawl
