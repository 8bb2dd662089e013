#pragma once

#include "base/terminal.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl::cli {

// How many characters a terminal shows for UTF-8 text. Wide ones count as one: good enough for
// columns.
inline std::size_t width(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
    }
    return count;
}

// At most `limit` characters, with an ellipsis in place of the rest.
inline std::string shorten(std::string_view text, std::size_t limit) {
    if (width(text) <= limit) return std::string(text);
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
        if (++count == limit) return std::string(text.substr(0, at)) + "…";
    }
    return std::string(text);
}

// Text from outside for one line of a terminal: nothing in it can move the cursor, begin a line or
// turn what follows around. Such characters are shown escaped.
inline std::string printable(std::string_view text) {
    std::string out;
    for (const char c : for_terminal(text)) {
        if (c == color_mark) {
            out += "\\xff";
        } else {
            out += c == '\n' || c == '\t' ? ' ' : c;
        }
    }
    return out;
}

// Whether text is UTF-8 as Postgres takes it: no NUL, no overlong forms, no surrogates.
inline bool is_valid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        if (lead == 0) return false;
        const std::size_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || at + more >= text.size()) return false;
        unsigned code = more == 0 ? lead : lead & (0x3fU >> more);
        for (std::size_t i = 1; i <= more; ++i) {
            const auto next = static_cast<unsigned char>(text[at + i]);
            if ((next & 0xc0) != 0x80) return false;
            code = code << 6 | (next & 0x3f);
        }
        if (more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) return false;
        if (more == 3 && (code < 0x10000 || code > 0x10ffff)) return false;
        at += more + 1;
    }
    return true;
}

}  // namespace pawl::cli
