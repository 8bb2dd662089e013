#include "model/duration.hpp"

#include "base/json.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace pawl {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t micros;
};
// From coarse to fine: format_duration takes the first that divides.
constexpr std::array<Unit, 6> units{
    {{"d", 86'400'000'000},
     {"h", 3'600'000'000},
     {"m", 60'000'000},
     {"s", 1'000'000},
     {"ms", 1'000},
     {"us", 1}}};

Error invalid_duration(std::string_view text) {
    constexpr std::size_t shown_max = 40;
    return {
        Errc::invalid,
        fmt::format(
            "'{}' is not a duration: write it like \"30s\", \"5m\", \"1h30m\", \"2d\" or \"PT5M\"",
            text.substr(0, shown_max)
        ),
        {}};
}

Result<Duration> from_seconds(double seconds, std::string_view shown) {
    if (!(seconds >= 0)) return invalid_duration(shown);
    const double micros = std::round(seconds * 1e6);
    if (micros > static_cast<double>(duration_max.count())) {
        return Error{
            Errc::invalid,
            fmt::format("the duration is longer than {}", format_duration(duration_max)),
            {}};
    }
    return Duration(static_cast<std::int64_t>(micros));
}

// Reads an unsigned decimal number off the front; signs and exponents are not durations.
std::optional<double> take_number(std::string_view& text) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    double number = 0;
    const auto [end, failed] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (failed != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<double> unit_seconds(std::string_view name) {
    for (const Unit& unit : units) {
        if (unit.name == name) return static_cast<double>(unit.micros) / 1e6;
    }
    return std::nullopt;
}

std::optional<double> parse_plain(std::string_view text) {
    double seconds = 0;
    while (!text.empty()) {
        const auto number = take_number(text);
        if (!number) return std::nullopt;
        const std::size_t length = text.find_first_of("0123456789. ");
        const auto unit = unit_seconds(text.substr(0, length));
        if (!unit) return std::nullopt;
        seconds += *number * *unit;
        text.remove_prefix(length == std::string_view::npos ? text.size() : length);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    }
    return seconds;
}

// ISO 8601 without years and months, whose length is not fixed.
std::optional<double> parse_iso(std::string_view text) {
    text.remove_prefix(1);
    if (text.empty() || text.back() == 'T') return std::nullopt;
    double seconds = 0;
    bool in_time = false;
    while (!text.empty()) {
        if (text.front() == 'T' && !in_time) {
            in_time = true;
            text.remove_prefix(1);
            continue;
        }
        const auto number = take_number(text);
        if (!number || text.empty()) return std::nullopt;
        const char unit = text.front();
        text.remove_prefix(1);
        if (!in_time && unit == 'W')
            seconds += *number * 604'800;
        else if (!in_time && unit == 'D')
            seconds += *number * 86'400;
        else if (in_time && unit == 'H')
            seconds += *number * 3'600;
        else if (in_time && unit == 'M')
            seconds += *number * 60;
        else if (in_time && unit == 'S')
            seconds += *number;
        else
            return std::nullopt;
    }
    return seconds;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
    const std::string_view shown = text;
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.empty()) return invalid_duration(shown);
    if (text.front() == 'P') {
        const auto seconds = parse_iso(text);
        return seconds ? from_seconds(*seconds, shown) : invalid_duration(shown);
    }
    std::string_view rest = text;
    const auto bare = take_number(rest);
    if (bare && rest.empty()) return from_seconds(*bare, shown);
    const auto seconds = parse_plain(text);
    return seconds ? from_seconds(*seconds, shown) : invalid_duration(shown);
}

Result<Duration> duration_from_json(const json::value& value) {
    switch (value.kind()) {
        case json::kind::string: return parse_duration(value.get_string());
        case json::kind::int64:
            return from_seconds(
                static_cast<double>(value.get_int64()), fmt::format("{}", value.get_int64())
            );
        case json::kind::uint64: return from_seconds(static_cast<double>(value.get_uint64()), "");
        case json::kind::double_:
            return from_seconds(value.get_double(), fmt::format("{}", value.get_double()));
        default: return invalid_duration(fmt::format("a JSON {}", to_string(value.kind()).data()));
    }
}

std::string format_duration(Duration duration) {
    if (duration.count() == 0) return "0s";
    for (const Unit& unit : units) {
        if (duration.count() % unit.micros == 0) {
            return fmt::format("{}{}", duration.count() / unit.micros, unit.name);
        }
    }
    return fmt::format("{}us", duration.count());
}

Instant saturating_add(Instant at, Duration duration) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(at.time_since_epoch().count(), duration.count(), &sum)) {
        return duration.count() > 0 ? Instant::max() : Instant::min();
    }
    return Instant(Duration(sum));
}

}  // namespace pawl
