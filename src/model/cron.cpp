#include "model/cron.hpp"

namespace pawl {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;

bool fires_on(const Cron& cron, local_days day) {
    const std::chrono::year_month_day date{day};
    if (!cron.months.test(static_cast<unsigned>(date.month()))) return false;
    const bool last = date.day() == (date.year() / date.month() / std::chrono::last).day();
    const bool by_day =
        cron.days.test(static_cast<unsigned>(date.day())) || (cron.last_day && last);
    const bool by_weekday = cron.weekdays.test(std::chrono::weekday(day).c_encoding());
    if (cron.any_day || cron.any_weekday) return by_day && by_weekday;
    return by_day || by_weekday;
}

// The first clock time of the schedule, `from` or later, before `end`.
std::optional<LocalTime> next_local(const Cron& cron, LocalTime from, LocalTime end) {
    const auto start = std::chrono::ceil<minutes>(from);
    local_days day = std::chrono::floor<days>(start);
    auto time = std::chrono::duration_cast<minutes>(start - day);
    for (; day < end; day += days(1), time = minutes(0)) {
        if (!fires_on(cron, day)) continue;
        while (time < days(1)) {
            const auto hour = static_cast<std::size_t>(time / hours(1));
            const auto minute = static_cast<std::size_t>(time % hours(1) / minutes(1));
            if (!cron.hours.test(hour)) {
                time = hours(hour + 1);
            } else if (!cron.minutes.test(minute)) {
                ++time;
            } else {
                const LocalTime found = day + time;
                return found < end ? std::optional(found) : std::nullopt;
            }
        }
    }
    return std::nullopt;
}

// Each real minute whose clock time fits, stretch by stretch of one offset.
std::optional<Instant> next_real(
    const Cron& cron, const TimeZone& zone, Instant from, Instant end
) {
    while (from < end) {
        const TimeZone::Period period = zone.period_at(from);
        const Instant stop = std::min(period.end, end);
        const auto local = [&](Instant at) {
            return LocalTime(at.time_since_epoch() + period.offset);
        };
        const auto found = next_local(cron, local(from), local(stop));
        if (found) return Instant(found->time_since_epoch() - period.offset);
        from = stop;
    }
    return std::nullopt;
}

// Clock times in their order, each translated once.
std::optional<Instant> next_fixed(
    const Cron& cron, const TimeZone& zone, Instant after, Instant end
) {
    // The clock time of `after` itself, and every earlier one, lies at `after` or before.
    LocalTime from = to_local(zone, after) + Duration(1);
    const LocalTime last = to_local(zone, end);
    while (const auto found = next_local(cron, from, last)) {
        from = *found + minutes(1);
        if (!has_day(zone, std::chrono::floor<days>(*found))) continue;
        const Instant at = to_instant(zone, *found);
        if (at > after) return at;  // else the second pass over clock times that occur twice
    }
    return std::nullopt;
}

}  // namespace

std::optional<Instant> next_slot(const Cron& cron, const TimeZone& zone, Instant after) {
    constexpr days horizon{5 * 366};
    constexpr Instant first{std::chrono::sys_days{std::chrono::year{1900} / 1 / 1}};
    constexpr Instant last{std::chrono::sys_days{std::chrono::year{9000} / 1 / 1}};
    if (after < first || after > last) return std::nullopt;
    const Instant end = after + horizon;
    if (cron.any_hour) return next_real(cron, zone, after + Duration(1), end);
    return next_fixed(cron, zone, after, end);
}

}  // namespace pawl
