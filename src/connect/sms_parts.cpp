#include "connect/sms_parts.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace pawl::connect {

namespace {

// The alphabet of GSM 03.38 beyond what it shares with ASCII.
constexpr std::u32string_view gsm_others = U"£¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà";
// Of ASCII it lacks the grave accent; these take two septets.
constexpr std::u32string_view gsm_escaped = U"^{}\\[~]|€\f";

// How many septets a character takes; 0: GSM-7 does not have it.
std::size_t septets(char32_t c) {
    if (gsm_escaped.find(c) != gsm_escaped.npos) return 2;
    if (c == U'\n' || c == U'\r') return 1;
    if (c >= U' ' && c < 0x7f) return c == U'`' ? 0 : 1;
    return gsm_others.find(c) == gsm_others.npos ? 0 : 1;
}

std::size_t units_of(char32_t c, bool gsm7) {
    return gsm7 ? septets(c) : c > 0xffff ? 2 : 1;
}

// Parts when one character is never cut in two.
std::size_t pack(std::string_view text, bool gsm7, std::size_t room) {
    std::size_t parts = 1;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t units = units_of(take_character(text), gsm7);
        if (used + units > room) {
            ++parts;
            used = 0;
        }
        used += units;
    }
    return parts;
}

}  // namespace

SmsParts count_sms(std::string_view text) {
    SmsParts count;
    for (std::string_view rest = text; !rest.empty();) {
        if (septets(take_character(rest)) == 0) count.gsm7 = false;
    }
    for (std::string_view rest = text; !rest.empty();)
        count.units += units_of(take_character(rest), count.gsm7);
    if (count.units == 0) return count;
    const std::size_t alone = count.gsm7 ? 160 : 70;
    const std::size_t joined = count.gsm7 ? 153 : 67;  // a part of several has a header
    count.parts = count.units <= alone ? 1 : pack(text, count.gsm7, joined);
    return count;
}

std::size_t utf16_units(std::string_view text) {
    std::size_t units = 0;
    while (!text.empty()) units += take_character(text) > 0xffff ? 2 : 1;
    return units;
}

}  // namespace pawl::connect
