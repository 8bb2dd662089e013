#pragma once

#include <string>
#include <string_view>

namespace pawl {

// A key as it stands inside a JSON pointer (RFC 6901).
inline std::string escaped(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace pawl
