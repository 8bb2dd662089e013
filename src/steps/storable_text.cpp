#include "steps/storable_text.hpp"

#include <algorithm>

namespace pawl::steps {

namespace {

// How many bytes the character at the start of `text` takes; 0 when it is not valid UTF-8
// (overlong, surrogate, beyond U+10FFFF, cut off) or is U+0000.
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

}  // namespace

bool is_storable(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = character_bytes(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

bool is_storable(const boost::json::value& value) {
    switch (value.kind()) {
        case boost::json::kind::string: return is_storable(std::string_view(value.get_string()));
        case boost::json::kind::array:
            return std::all_of(
                value.get_array().begin(),
                value.get_array().end(),
                [](const boost::json::value& item) { return is_storable(item); }
            );
        case boost::json::kind::object:
            return std::all_of(
                value.get_object().begin(),
                value.get_object().end(),
                [](const boost::json::key_value_pair& member) {
                    return is_storable(std::string_view(member.key())) &&
                           is_storable(member.value());
                }
            );
        default: return true;
    }
}

std::string storable(std::string_view text, std::size_t bytes_max) {
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

}  // namespace pawl::steps
