#pragma once

#include "model/cron.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// What happens to a slot while the run of an earlier one is open: it is left out, it starts a run
// all the same, or it waits for the end.
enum class Overlap { skip, allow, queue };

std::string_view name(Overlap overlap);
std::optional<Overlap> parse_overlap(std::string_view text);

// However short the time to catch up, what comes late by this much is not a slot that was missed:
// schedulers look once in a second.
inline constexpr Duration lateness_min = std::chrono::seconds(10);

struct DueSlots {
    std::vector<Instant> slots;   // due and to be fired, oldest first
    std::int64_t missed = 0;      // too old
    std::optional<Instant> next;  // the slot after those; none: there is none within five years
};

// What is due of a schedule whose next slot is `first`, at `now`: slots up to now, but not those
// older than `catch_up`, and `limit` at most (then `next` is due already).
DueSlots due_slots(
    const Cron& cron,
    const TimeZone& zone,
    Instant first,
    Instant now,
    Duration catch_up,
    std::size_t limit
);

// How many slots there are from `from` to before `to`; counts up to `limit`.
std::size_t count_slots(
    const Cron& cron, const TimeZone& zone, Instant from, Instant to, std::size_t limit
);

// By how much a slot is fired later, below `jitter`: the same on every machine.
Duration slot_delay(std::int32_t schedule, Instant slot, Duration jitter);

// The key that lets a slot start one run only.
std::string slot_key(std::int32_t schedule, Instant slot);

struct SlotInfo {
    std::int32_t schedule = 0;
    Instant slot{};
    TimeZone zone;
};

// The input of a slot's run. Templates see schedule.id, schedule.slot (RFC 3339 in UTC), and
// schedule.date and schedule.time as clocks in the zone show them.
Result<boost::json::value> slot_input(const boost::json::value& input, const SlotInfo& info);

}  // namespace pawl
