#include "app/schedules/slots.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

constexpr std::size_t upcoming_max = 5;
constexpr std::size_t past_max = 5;

}  // namespace

store::ScheduleDetails with_next(store::ScheduleDetails schedule) {
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    const bool fires = schedule.active && !schedule.paused_at;
    if (fires && !schedule.next_at && cron && zone) {
        schedule.next_at = next_slot(*cron, *zone, wall_now());
    }
    return schedule;
}

std::vector<Instant> upcoming_slots(const store::ScheduleDetails& schedule) {
    std::vector<Instant> slots;
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    auto slot = schedule.next_at;
    if (!schedule.active || schedule.paused_at || !cron || !zone) slot.reset();
    while (slot && slots.size() < upcoming_max) {
        slots.push_back(*slot);
        slot = next_slot(*cron, *zone, *slot);
    }
    return slots;
}

std::vector<Instant> past_slots(const store::ScheduleDetails& schedule) {
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    std::vector<Instant> slots;
    if (!cron || !zone || !schedule.last_slot) return slots;
    constexpr Duration longest = std::chrono::hours(24 * 366 * 10);
    // There is no way back in time from a slot: each look begins earlier than the one before.
    for (Duration back = std::chrono::minutes(5); slots.size() < past_max; back *= 4) {
        slots.clear();
        auto slot = next_slot(*cron, *zone, *schedule.last_slot - back);
        for (; slot && *slot <= *schedule.last_slot; slot = next_slot(*cron, *zone, *slot)) {
            slots.push_back(*slot);
        }
        if (back > longest) break;
    }
    std::reverse(slots.begin(), slots.end());
    if (slots.size() > past_max) slots.resize(past_max);
    return slots;
}

}  // namespace pawl::app
