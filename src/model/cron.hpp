#pragma once

#include "base/error.hpp"
#include "model/civil_time.hpp"

#include <bitset>
#include <optional>
#include <string_view>

namespace pawl {

// When a schedule fires, as a crontab writes it: minute, hour, day of the month, month, weekday.
struct Cron {
    std::bitset<60> minutes;
    std::bitset<24> hours;
    std::bitset<32> days;    // of the month, 1 to 31
    std::bitset<13> months;  // 1 to 12
    Weekdays weekdays;
    bool last_day = false;  // "L": the last day of the month
    // A field that begins with '*' asks for nothing. When both ask for something, either will do.
    bool any_day = false;
    bool any_weekday = false;
    // Every hour: follows real time when clocks are set back or forward.
    bool any_hour = false;

    bool operator==(const Cron&) const = default;
};

// Five fields with lists, ranges, steps and names ("*/15 9-17 * * mon-fri"), L as day of the month,
// or @hourly, @daily, @weekly, @monthly, @yearly. Refuses what can never fire ("0 0 31 2 *").
Result<Cron> parse_cron(std::string_view text);

// The first slot later than `after`; none within five years.
//
// When clocks change, schedules with a fixed hour keep their promise of once a day: a slot that the
// change skips fires right after it (several of them as one), and a slot that occurs twice fires
// the first time only. Schedules of every hour follow real time instead. A day that a zone left out
// has no slots.
std::optional<Instant> next_slot(const Cron& cron, const TimeZone& zone, Instant after);

}  // namespace pawl
