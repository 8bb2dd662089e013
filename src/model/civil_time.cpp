#include "model/civil_time.hpp"

#include "base/number_text.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pawl {

namespace {

using std::chrono::days;
using std::chrono::local_days;

constexpr std::size_t shown_max = 40;

// Far enough from the ends of the calendar that no arithmetic here can leave it.
bool in_calendar(Instant at) {
    using std::chrono::year;
    return at >= std::chrono::sys_days{year{1000} / 1 / 1} &&
           at < std::chrono::sys_days{year{9000} / 1 / 1};
}

Error out_of_calendar() {
    return {Errc::invalid, "the time is out of the calendar: years 1000 to 8999 are known", {}};
}

LocalTime shifted(Instant at, std::chrono::seconds offset) {
    return LocalTime(at.time_since_epoch() + offset);
}

// The moment at which a clock with this offset shows `local`.
Instant moment_of(LocalTime local, std::chrono::seconds offset) {
    return Instant(local.time_since_epoch() - offset);
}

std::optional<unsigned> two_digits(std::string_view text) {
    return text.size() <= 2 ? read_number<unsigned>(text) : std::nullopt;
}

std::optional<unsigned> weekday_of(std::string_view name) {
    constexpr std::array<std::string_view, 7> names{
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
    std::string wanted(name);
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (wanted.size() < 3) return std::nullopt;
    for (unsigned i = 0; i < names.size(); ++i) {
        const bool shortened = wanted.size() == 3 && names[i].starts_with(wanted);
        if (shortened || names[i] == wanted) return i;
    }
    return std::nullopt;
}

// A date with a clock time and no offset: "2026-03-01T09:00", "2026-03-01 09:00:30".
std::optional<LocalTime> parse_local_time(std::string_view text) {
    if (text.size() != 16 && text.size() != 19) return std::nullopt;
    if (text[10] != 'T' && text[10] != ' ') return std::nullopt;
    std::string whole(text);
    if (whole.size() == 16) whole += ":00";
    const auto as_utc = parse_rfc3339(whole + "Z");
    if (!as_utc) return std::nullopt;
    return LocalTime(as_utc->time_since_epoch());
}

}  // namespace

Result<TimeOfDay> parse_time_of_day(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos && text.size() - colon == 3) {
        const auto hour = two_digits(text.substr(0, colon));
        const auto minute = two_digits(text.substr(colon + 1));
        if (hour && minute && *hour < 24 && *minute < 60) return TimeOfDay(*hour * 60 + *minute);
    }
    return Error{
        Errc::invalid,
        fmt::format(
            "'{}' is not a time of day: write it like \"09:00\" or \"17:30\"",
            text.substr(0, shown_max)
        ),
        {}};
}

Result<Weekdays> parse_weekdays(const std::vector<std::string>& names) {
    Weekdays days_found;
    for (const std::string& name : names) {
        const auto day = weekday_of(name);
        if (!day) {
            return Error{
                Errc::invalid,
                fmt::format(
                    "'{}' is not a weekday: use mon, tue, wed, thu, fri, sat, sun",
                    std::string_view(name).substr(0, shown_max)
                ),
                {}};
        }
        days_found.set(*day);
    }
    if (days_found.none()) {
        return Error{Errc::invalid, "name at least one weekday, such as mon", {}};
    }
    return days_found;
}

std::optional<std::chrono::year_month_day> parse_date(std::string_view text) {
    if (text.size() != 10) return std::nullopt;
    const auto at = parse_rfc3339(std::string(text) + "T00:00:00Z");
    if (!at) return std::nullopt;
    return std::chrono::year_month_day(std::chrono::floor<days>(*at));
}

std::optional<Instant> parse_time(std::string_view text) {
    if (const auto date = parse_date(text)) return std::chrono::sys_days(*date);
    return parse_rfc3339(text);
}

LocalTime to_local(const TimeZone& zone, Instant at) {
    return shifted(at, zone.period_at(at).offset);
}

Instant to_instant(const TimeZone& zone, LocalTime local) {
    // Offsets are shorter than a day, so the stretch of a day earlier is none too late, and a few
    // stretches on there is one that is none too early.
    TimeZone::Period period = zone.period_at(moment_of(local, days(1)));
    constexpr int changes_max = 8;
    for (int i = 0; i < changes_max; ++i) {
        const Instant at = moment_of(local, period.offset);
        if (at < period.begin) return period.begin;  // the change skipped this time
        if (at < period.end) return at;              // the first, if it occurs again later
        period = zone.period_at(period.end);
    }
    return moment_of(local, period.offset);
}

bool has_day(const TimeZone& zone, local_days day) {
    // The first instant that belongs to the day or to a later one tells.
    const Instant first = to_instant(zone, LocalTime(day));
    return std::chrono::floor<days>(to_local(zone, first)) == day;
}

Result<Instant> next_local_time(Instant now, const LocalWindow& window) {
    if (!in_calendar(now)) return out_of_calendar();
    const auto today = std::chrono::floor<days>(to_local(window.zone, now));
    // From yesterday on, whose time may have been moved past midnight by a gap; a week ahead holds
    // every weekday, and one more if that day was left out.
    for (local_days day = today - days(1); day <= today + days(15); day += days(1)) {
        if (!window.weekdays.test(std::chrono::weekday(day).c_encoding())) continue;
        if (!has_day(window.zone, day)) continue;
        const Instant at = to_instant(window.zone, day + window.time);
        if (at >= now) return at;
    }
    return Error{Errc::invalid, "name at least one weekday, such as mon", {}};
}

Result<CivilOffset> parse_civil_offset(std::string_view text) {
    const auto refuse = [text] {
        return Error{
            Errc::invalid,
            fmt::format(
                "'{}' is not an offset: write it like \"-3d\", \"2w\", \"1d12h\" or \"-90m\"",
                text.substr(0, shown_max)
            ),
            {}};
    };
    std::string_view rest = text;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    if (rest.empty() || rest.front() < '0' || rest.front() > '9') return refuse();
    CivilOffset offset;
    // Weeks and days come first and are whole; what follows is a plain duration.
    while (!rest.empty()) {
        std::int64_t number = 0;
        const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (failed != std::errc{} || end == rest.data() + rest.size()) break;
        if (*end != 'd' && *end != 'w') break;
        constexpr std::int64_t days_max = 36600;
        offset.days += days(std::min(number, days_max) * (*end == 'w' ? 7 : 1));
        if (number > days_max || offset.days.count() > days_max) return refuse();
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
    }
    if (!rest.empty()) {
        const auto exact = parse_duration(rest);
        if (!exact || rest.find('d') != std::string_view::npos) return refuse();
        offset.exact = *exact;
    }
    if (negative) return CivilOffset{-offset.days, -offset.exact};
    return offset;
}

Result<Instant> property_date(const PropertyDate& property) {
    const CivilOffset& offset = property.offset;
    std::optional<LocalTime> local = parse_local_time(property.value);
    if (const auto date = parse_date(property.value)) local = LocalTime(local_days(*date));
    if (!local) {
        const auto at = parse_rfc3339(property.value);
        if (!at) {
            return Error{
                Errc::invalid,
                fmt::format(
                    "'{}' is not a date: write it like \"2026-03-01\" or \"2026-03-01T09:00:00Z\"",
                    property.value.substr(0, shown_max)
                ),
                {}};
        }
        if (!in_calendar(*at)) return out_of_calendar();
        // The exact moment: a clock time could stand for another one, when it occurs twice.
        const bool moved = offset.days != days(0) || property.time;
        if (!moved) return saturating_add(*at, offset.exact);
        local = to_local(property.zone, *at);
    }
    if (!in_calendar(moment_of(*local, {}))) return out_of_calendar();
    const auto day = std::chrono::floor<days>(*local);
    const Duration time = property.time ? Duration(*property.time) : *local - LocalTime(day);
    return saturating_add(to_instant(property.zone, day + offset.days + time), offset.exact);
}

}  // namespace pawl
