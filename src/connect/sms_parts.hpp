#pragma once

#include <cstddef>
#include <string_view>

namespace pawl::connect {

// How a text goes over the air, and so what it costs.
struct SmsParts {
    bool gsm7 = true;       // else UCS-2: one character that GSM-7 lacks is enough
    std::size_t units = 0;  // septets, or UTF-16 units
    std::size_t parts = 0;  // messages that it takes

    std::string_view encoding() const { return gsm7 ? "GSM7" : "UCS2"; }
    bool operator==(const SmsParts&) const = default;
};

SmsParts count_sms(std::string_view text);

// The length of a text as JavaScript, and so LINE and most consoles, count it.
std::size_t utf16_units(std::string_view text);

}  // namespace pawl::connect
