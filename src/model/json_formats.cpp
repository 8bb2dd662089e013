#include "model/json_formats.hpp"

#include "base/clock.hpp"
#include "base/ids.hpp"

#include <algorithm>
#include <array>

namespace pawl {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A number of two digits, at most so much, with which the text begins. It is taken off.
bool take_number(std::string_view& text, int most) {
    if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return false;
    const int number = (text[0] - '0') * 10 + (text[1] - '0');
    text.remove_prefix(2);
    return number <= most;
}

bool take_sign(std::string_view& text, char sign) {
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(1);
    return true;
}

// 2026-01-31: no shorter numbers, as streams would read them.
bool is_date(std::string_view text) {
    const bool shaped = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                        std::all_of(text.begin(), text.begin() + 4, is_digit) &&
                        is_digit(text[5]) && is_digit(text[6]) && is_digit(text[8]) &&
                        is_digit(text[9]);
    return shaped && parse_rfc3339(std::string(text) + "T00:00:00Z").has_value();
}

// 09:00:00.5+07:00, with up to six digits of a second, as Instant keeps them.
bool is_time_in_zone(std::string_view text) {
    if (!take_number(text, 23) || !take_sign(text, ':') || !take_number(text, 59)) return false;
    if (!take_sign(text, ':') || !take_number(text, 59)) return false;
    if (take_sign(text, '.')) {
        const auto places = static_cast<std::size_t>(
            std::find_if_not(text.begin(), text.end(), is_digit) - text.begin()
        );
        if (places == 0 || places > 6) return false;
        text.remove_prefix(places);
    }
    if (text == "Z" || text == "z") return true;
    if (!take_sign(text, '+') && !take_sign(text, '-')) return false;
    return take_number(text, 23) && take_sign(text, ':') && take_number(text, 59) && text.empty();
}

bool is_time(std::string_view text) {
    const bool plain = text.size() == 5 || text.size() == 8;
    if (!plain) return is_time_in_zone(text);
    return is_time_in_zone(std::string(text) + (text.size() == 5 ? ":00Z" : "Z"));
}

bool is_date_time(std::string_view text) {
    return text.size() > 11 && (text[10] == 'T' || text[10] == ' ') &&
           is_date(text.substr(0, 10)) && is_time_in_zone(text.substr(11));
}

// What a person means by an address, not what RFC 5321 would still allow.
bool is_email(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos || at == 0 || text.size() > 254) return false;
    const std::string_view domain = text.substr(at + 1);
    const bool blank = std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    });
    return !blank && domain.find('.') != std::string_view::npos && !domain.starts_with('.') &&
           !domain.ends_with('.') && domain.find("..") == std::string_view::npos &&
           text.substr(0, at).find('@') == std::string_view::npos;
}

bool is_uri(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return false;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const std::string_view scheme = text.substr(0, colon);
    const bool named =
        letter(scheme.front()) && std::all_of(scheme.begin(), scheme.end(), [&letter](char c) {
            return letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        });
    return named && std::none_of(text.begin(), text.end(), [](char c) {
               return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '<' || c == '>';
           });
}

struct Format {
    std::string_view name;
    bool (*holds)(std::string_view);
};

const std::array<Format, 6> formats = {{
    {"date", is_date},
    {"date-time", is_date_time},
    {"time", is_time},
    {"email", is_email},
    {"uri", is_uri},
    {"uuid", [](std::string_view text) { return parse_uuid(text).has_value(); }},
}};

}  // namespace

bool is_known_format(std::string_view format) {
    return std::any_of(formats.begin(), formats.end(), [format](const Format& known) {
        return known.name == format;
    });
}

bool has_format(std::string_view format, std::string_view text) {
    return std::all_of(formats.begin(), formats.end(), [&](const Format& known) {
        return known.name != format || known.holds(text);
    });
}

}  // namespace pawl
