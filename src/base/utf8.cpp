#include "base/utf8.hpp"

#include <algorithm>

namespace pawl {

std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const auto continues = [&](std::size_t at) { return (byte(at) & 0xc0) == 0x80; };
    const unsigned first = byte(0);
    if (first < 0x80) return first == 0 ? 0 : 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return text.size() >= 2 && continues(1) ? 2 : 0;
    if (first < 0xf0) {
        if (text.size() < 3 || !continues(1) || !continues(2)) return 0;
        if (first == 0xe0 && byte(1) < 0xa0) return 0;
        return first == 0xed && byte(1) >= 0xa0 ? 0 : 3;
    }
    if (first > 0xf4 || text.size() < 4) return 0;
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xf0 && byte(1) < 0x90) return 0;
    return first == 0xf4 && byte(1) >= 0x90 ? 0 : 4;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = character_bytes(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string as_utf8(std::string_view text, std::size_t bytes_max) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_bytes(text);
        if (out.size() + std::max<std::size_t>(size, 1) > bytes_max) break;
        if (size == 0) {
            out.push_back('?');
        } else {
            out.append(text.substr(0, size));
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

char32_t take_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = std::max<std::size_t>(character_bytes(text), 1);
    char32_t character = size == 1 ? first : first & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
        character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    text.remove_prefix(size);
    return character;
}

}  // namespace pawl
