#include "model/civil_time.hpp"
#include "model/suggest.hpp"

#include <date/tz.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace pawl {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return c == ' ' ? '_' : static_cast<char>(std::tolower(c));
    });
    return out;
}

// Names of the database itself, not of a place.
bool is_internal(std::string_view name) {
    return name == "localtime" || name == "posixrules" || name == "Factory" ||
           name.starts_with("posix/") || name.starts_with("right/");
}

std::string hint_for(const date::tzdb& database, std::string_view name) {
    const std::string wanted = lower(name);
    std::string same_city;
    std::vector<std::string_view> names;
    for (const auto& zone : database.zones) {
        if (is_internal(zone.name())) continue;
        const std::string known = lower(zone.name());
        if (known == wanted) return fmt::format(", did you mean '{}'?", zone.name());
        if (known.ends_with("/" + wanted)) same_city = zone.name();
        names.push_back(zone.name());
    }
    if (!same_city.empty()) return fmt::format(", did you mean '{}'?", same_city);
    const std::string hint = suggest(name, names);
    return hint.empty() ? ": write a name such as Europe/Berlin or UTC" : hint;
}

}  // namespace

std::string TimeZone::name() const {
    return zone_ == nullptr ? "UTC" : std::string(zone_->name());
}

TimeZone::Period TimeZone::period_at(Instant at) const {
    // Stays within what microseconds can count and the calendar can name.
    constexpr Instant first{std::chrono::sys_days{std::chrono::year{1} / 1 / 1}};
    constexpr Instant last{std::chrono::sys_days{std::chrono::year{9999} / 1 / 1}};
    if (zone_ == nullptr) return {first, last, std::chrono::seconds{0}};
    const auto info = zone_->get_info(date::sys_seconds(
        std::chrono::floor<std::chrono::seconds>(std::clamp(at, first, last).time_since_epoch())
    ));
    const auto within = [&](date::sys_seconds moment) {
        return Instant(std::clamp<std::chrono::seconds>(
            moment.time_since_epoch(),
            std::chrono::floor<std::chrono::seconds>(first.time_since_epoch()),
            std::chrono::floor<std::chrono::seconds>(last.time_since_epoch())
        ));
    };
    return {within(info.begin), within(info.end), info.offset};
}

Result<TimeZone> parse_time_zone(std::string_view name) {
    if (name == "UTC") return TimeZone();
    try {
        const date::tzdb& database = date::get_tzdb();
        const auto found = std::lower_bound(
            database.zones.begin(),
            database.zones.end(),
            name,
            [](const auto& zone, std::string_view wanted) { return zone.name() < wanted; }
        );
        const bool known = found != database.zones.end() && found->name() == name;
        if (known && !is_internal(name)) {
            found->get_info(date::sys_seconds{});  // reads its file now, not in the planner
            return TimeZone(&*found);
        }
        constexpr std::size_t shown_max = 60;
        return Error{
            Errc::invalid,
            fmt::format(
                "'{}' is not a time zone{}", name.substr(0, shown_max), hint_for(database, name)
            ),
            {}};
    } catch (const std::exception& problem) {
        return Error{
            Errc::unavailable,
            fmt::format(
                "the time zones of this system cannot be read ({}): install the package tzdata",
                problem.what()
            ),
            {}};
    }
}

}  // namespace pawl
