#pragma once

#include <string>
#include <string_view>

namespace pawl {

// `text`, or its beginning and "..." where it is longer than that. A character of UTF-8 stays
// whole.
inline std::string cut_text(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return std::string(text);
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

}  // namespace pawl
