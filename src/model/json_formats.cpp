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
    std::string_view example;
};

const std::array<Format, 6> formats = {{
    {"date", is_date, "a date like 2026-01-31"},
    {"date-time",
     [](std::string_view text) { return parse_rfc3339(text).has_value(); },
     "a time like 2026-01-31T09:00:00Z"},
    {"time", is_time, "a time of day like 09:30"},
    {"email", is_email, "an e-mail address like ann@example.com"},
    {"uri", is_uri, "an address like https://example.com/page"},
    {"uuid",
     [](std::string_view text) { return parse_uuid(text).has_value(); },
     "an id like 0190c5d0-0000-7000-8000-000000000000"},
}};

}  // namespace

bool is_known_format(std::string_view format) {
    return std::any_of(formats.begin(), formats.end(), [format](const Format& known) {
        return known.name == format;
    });
}

std::optional<std::string> format_problem(std::string_view format, std::string_view text) {
    for (const Format& known : formats) {
        if (known.name != format) continue;
        if (known.holds(text)) return std::nullopt;
        return "must be " + std::string(known.example);
    }
    return std::nullopt;
}

}  // namespace pawl
