#include "model/wait_time.hpp"

#include "base/json.hpp"
#include "model/civil_time.hpp"
#include "model/duration.hpp"
#include "model/template.hpp"

#include <fmt/core.h>

#include <vector>

namespace pawl {

namespace {

std::string text_of(const json::object& config, std::string_view key) {
    const json::value* value = config.if_contains(key);
    if (value == nullptr || value->is_null()) return {};
    std::string text;
    append_text(text, *value);
    return text;
}

Result<TimeZone> zone_of(const json::object& config) {
    const std::string name = text_of(config, "timezone");
    return name.empty() ? Result<TimeZone>(TimeZone()) : parse_time_zone(name);
}

Result<std::optional<TimeOfDay>> time_of(const json::object& config) {
    const std::string text = text_of(config, "local_time");
    if (text.empty()) return std::optional<TimeOfDay>();
    const auto time = parse_time_of_day(text);
    if (!time) return time.error();
    return std::optional(*time);
}

Result<Weekdays> weekdays_of(const json::object& config) {
    const json::value* written = config.if_contains("weekdays");
    if (written == nullptr || written->is_null()) return every_day;
    std::vector<std::string> names;
    if (const json::array* list = written->if_array()) {
        for (const json::value& item : *list) append_text(names.emplace_back(), item);
    } else {
        append_text(names.emplace_back(), *written);
    }
    return parse_weekdays(names);
}

// Whatever stands in the row of a person: one whose zone is none is taken to be in UTC.
TimeZone zone_of_person(const json::object& config) {
    const auto zone = zone_of(config);
    return zone ? *zone : TimeZone();
}

Result<Instant> local_window(const json::object& config, const TimeZone& zone, Instant now) {
    const auto time = time_of(config);
    if (!time) return time.error();
    const auto weekdays = weekdays_of(config);
    if (!weekdays) return weekdays.error();
    return next_local_time(now, {time->value_or(TimeOfDay{}), *weekdays, zone});
}

Result<Instant> date_with_offset(const json::object& config) {
    const auto zone = zone_of(config);
    if (!zone) return zone.error();
    const auto time = time_of(config);
    if (!time) return time.error();
    CivilOffset offset;
    if (const std::string written = text_of(config, "offset"); !written.empty()) {
        const auto parsed = parse_civil_offset(written);
        if (!parsed) return parsed.error();
        offset = *parsed;
    }
    const std::string value = text_of(config, "date");
    return property_date({value, offset, *time, *zone});
}

}  // namespace

Result<Instant> wait_end(const json::object& config, Instant now) {
    if (config.contains("date")) return date_with_offset(config);
    if (config.contains("local_time")) {
        const auto zone = zone_of(config);
        return zone ? local_window(config, *zone, now) : zone.error();
    }
    if (const json::value* until = config.if_contains("until")) {
        if (const json::object* window = until->if_object()) {
            return local_window(*window, zone_of_person(*window), now);
        }
        const std::string text = text_of(config, "until");
        if (const auto at = parse_time(text)) return *at;
        return Error{
            Errc::invalid,
            fmt::format("until: '{}' is not a time such as 2026-03-01T09:00:00Z", text),
            {}};
    }
    const json::value* written = config.if_contains("duration");
    const auto duration = duration_from_json(written == nullptr ? json::value() : *written);
    if (!duration) return duration.error();
    return saturating_add(now, *duration);
}

}  // namespace pawl
