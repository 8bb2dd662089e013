#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <bitset>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace date {
class time_zone;
}

namespace pawl {

// Time as people write it: clock times, weekdays, dates and time zones. Everything here is pure;
// the moment "now" is always given. Zones are those of the system's tzdata. It lists changes up to
// 2037; later dates are taken to be without daylight saving time.

// A zone of the system's database; lives as long as the process. Cheap to copy.
class TimeZone {
public:
    TimeZone() = default;  // UTC
    explicit TimeZone(const date::time_zone* zone) : zone_(zone) {}

    std::string name() const;
    bool operator==(const TimeZone&) const = default;

    // A stretch of real time with one offset from UTC: [begin, end).
    struct Period {
        Instant begin;
        Instant end;
        std::chrono::seconds offset;
    };
    Period period_at(Instant at) const;

private:
    const date::time_zone* zone_ = nullptr;
};

// "Europe/Berlin" or "UTC". The error suggests names; "Berlin" leads to "Europe/Berlin".
Result<TimeZone> parse_time_zone(std::string_view name);

// What a clock on the wall shows, without saying where: kept as if it were UTC.
using LocalTime = std::chrono::local_time<std::chrono::microseconds>;
using TimeOfDay = std::chrono::minutes;  // since midnight, below 24 h
using Weekdays = std::bitset<7>;         // by c_encoding: 0 is Sunday

inline const Weekdays every_day{0b111'1111};

// "09:00" to "23:59", also "9:00".
Result<TimeOfDay> parse_time_of_day(std::string_view text);
// Each one as "mon", "Monday" or "MON"; at least one.
Result<Weekdays> parse_weekdays(const std::vector<std::string>& names);
// "2026-03-01", a day that exists.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);
// A moment: RFC 3339, or a date, which stands for its midnight in UTC.
std::optional<Instant> parse_time(std::string_view text);

LocalTime to_local(const TimeZone& zone, Instant at);

// When the clock of the zone shows `local`. A time that occurs twice (clocks set back) is the first
// of the two. A time that does not occur (clocks set forward) is the first instant after the gap.
Instant to_instant(const TimeZone& zone, LocalTime local);

// Whether the zone has this day at all: Samoa had no 30 December 2011.
bool has_day(const TimeZone& zone, std::chrono::local_days day);

struct LocalWindow {
    TimeOfDay time{};
    Weekdays weekdays = every_day;
    TimeZone zone;
};

// The first moment, `now` or later, at which the clock shows the window's time on one of its
// weekdays. Fails for a window without weekdays and for moments out of the calendar.
Result<Instant> next_local_time(Instant now, const LocalWindow& window);

// A distance on the calendar, then one on the clock: "-3d", "2w", "1d12h", "+90m". A day is a day
// of the calendar, 23 to 25 hours long; an hour is an hour.
struct CivilOffset {
    std::chrono::days days{};
    Duration exact{};

    bool operator==(const CivilOffset&) const = default;
};
Result<CivilOffset> parse_civil_offset(std::string_view text);

struct PropertyDate {
    std::string_view value;  // "2026-03-01", "2026-03-01T09:00" (of the zone) or RFC 3339
    CivilOffset offset;
    std::optional<TimeOfDay> time;  // instead of the value's; midnight for a bare date
    TimeZone zone;
};

// The moment that is `offset` away from a date that people keep in a field.
Result<Instant> property_date(const PropertyDate& property);

}  // namespace pawl
