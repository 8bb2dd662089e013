#include "model/schedule.hpp"

#include "base/enum_names.hpp"
#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/template.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl {

namespace {

constexpr EnumNames<Overlap, 3> overlaps{{"skip", "allow", "queue"}};

// Spreads numbers that are close to each other (SplitMix64's finisher).
std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
    return number ^ (number >> 31);
}

}  // namespace

std::string_view name(Overlap overlap) {
    return overlaps.name(overlap);
}

std::optional<Overlap> parse_overlap(std::string_view text) {
    return overlaps.parse(text);
}

DueSlots due_slots(
    const Cron& cron,
    const TimeZone& zone,
    Instant first,
    Instant now,
    Duration catch_up,
    std::size_t limit
) {
    // After years of silence the number of slots missed is not worth the time to count them all.
    constexpr std::int64_t missed_max = 100'000;
    const Instant oldest = saturating_add(now, -std::max(catch_up, lateness_min));
    DueSlots due;
    std::optional<Instant> slot = first;
    while (slot && *slot < oldest && due.missed < missed_max) {
        ++due.missed;
        slot = next_slot(cron, zone, *slot);
    }
    if (slot && *slot < oldest) slot = next_slot(cron, zone, oldest - Duration(1));
    while (slot && *slot <= now && due.slots.size() < limit) {
        due.slots.push_back(*slot);
        slot = next_slot(cron, zone, *slot);
    }
    due.next = slot;
    return due;
}

std::size_t count_slots(
    const Cron& cron, const TimeZone& zone, Instant from, Instant to, std::size_t limit
) {
    std::size_t count = 0;
    auto slot = next_slot(cron, zone, from - Duration(1));
    while (slot && *slot < to && count < limit) {
        ++count;
        slot = next_slot(cron, zone, *slot);
    }
    return count;
}

Duration slot_delay(std::int32_t schedule, Instant slot, Duration jitter) {
    if (jitter <= Duration::zero()) return Duration::zero();
    const auto seconds = static_cast<std::uint64_t>(slot.time_since_epoch().count());
    const std::uint64_t hash = mixed(mixed(static_cast<std::uint64_t>(schedule)) + seconds);
    return Duration(static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(jitter.count())));
}

std::string slot_key(std::int32_t schedule, Instant slot) {
    return fmt::format("schedule:{}:{}", schedule, to_rfc3339(slot));
}

Result<json::value> slot_input(const json::value& input, const SlotInfo& info) {
    if (!has_placeholder(input)) return input.is_null() ? json::value(json::object()) : input;
    // As if it were UTC, for its text: "2026-03-29T03:00:00...".
    const Instant local(to_local(info.zone, info.slot).time_since_epoch());
    const std::string clock = to_rfc3339(local);
    const json::value roots{
        {"schedule",
         {{"id", info.schedule},
          {"slot", to_rfc3339(info.slot)},
          {"date", clock.substr(0, 10)},
          {"time", clock.substr(11, 5)}}}};
    return render(input, [&roots](const Path& path) { return walk(&roots, path); });
}

}  // namespace pawl
