#include "model/json_formats.hpp"

#include "base/clock.hpp"
#include "base/ids.hpp"

#include <algorithm>
#include <array>

namespace pawl {

namespace {

bool is_date(std::string_view text) {
    return text.size() == 10 && parse_rfc3339(std::string(text) + "T00:00:00Z").has_value();
}

bool is_time(std::string_view text) {
    if (text.size() == 5 || text.size() == 8) {
        const std::string whole =
            "2000-01-01T" + std::string(text) + (text.size() == 5 ? ":00Z" : "Z");
        return parse_rfc3339(whole).has_value();
    }
    return parse_rfc3339("2000-01-01T" + std::string(text)).has_value();
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
    {"date-time", [](std::string_view text) { return parse_rfc3339(text).has_value(); }},
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
