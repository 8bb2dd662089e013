#include "base/terminal.hpp"

#include <fmt/core.h>

#include <iterator>

namespace pawl {

namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead < 0xc2   ? 0
                              : lead < 0xe0 ? 2
                              : lead < 0xf0 ? 3
                              : lead < 0xf5 ? 4
                                            : 0;
    if (bytes == 0 || text.size() < bytes) return {};
    char32_t code = lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80) return {};
        code = code << 6 | (next & 0x3f);
    }
    return {code, bytes};
}

}  // namespace

bool is_terminal_control(char32_t code) {
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
    const bool turns = code == 0x061c || code == 0x200e || code == 0x200f ||
                       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    const bool breaks = code == 0x2028 || code == 0x2029;
    return turns || breaks || code == 0xfeff;
}

std::string for_terminal(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character one = first_of(text);
        if (one.bytes == 0) {
            if (text[0] == color_mark) {
                out += text[0];
            } else {
                const auto byte = static_cast<unsigned char>(text[0]);
                fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
            }
            text.remove_prefix(1);
            continue;
        }
        const bool kept = one.code == U'\n' || one.code == U'\t';
        if (!kept && is_terminal_control(one.code)) {
            const auto code = static_cast<unsigned>(one.code);
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
        } else {
            out.append(text.substr(0, one.bytes));
        }
        text.remove_prefix(one.bytes);
    }
    return out;
}

std::string with_colors(std::string text) {
    for (std::size_t at = text.find(color_mark); at != std::string::npos;
         at = text.find(color_mark, at)) {
        text.replace(at, 1, "\x1b[");
    }
    return text;
}

}  // namespace pawl
