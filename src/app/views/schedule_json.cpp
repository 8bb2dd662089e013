#include "app/views/schedule_json.hpp"

#include "app/schedules/slots.hpp"
#include "app/views/json_parts.hpp"
#include "model/duration.hpp"

namespace pawl::app {

json::object to_json(const store::ScheduleDetails& schedule) {
    json::object out;
    out["id"] = schedule.id;
    out["workflow"] = schedule.workflow_name;
    out["trigger"] = schedule.place;
    PAWL_SHOW(out, schedule, (shown, cron, timezone));
    out["overlap"] = name(schedule.overlap);
    out["catch_up"] = format_duration(schedule.catch_up);
    out["jitter"] = format_duration(schedule.jitter);
    out["input"] = schedule.input;
    out["audience"] = or_null(schedule.audience);
    out["local_time"] = or_null(schedule.local_time);
    const bool paused = schedule.paused_at.has_value();
    const bool failing = !schedule.problem.empty();
    out["status"] = !schedule.active ? "inactive"
                    : paused         ? "paused"
                    : failing        ? "failing"
                                     : "active";
    PAWL_SHOW(out, schedule, (or_null, problem), (shown, paused_at), (or_null, pause_reason));
    const bool fires = schedule.active && !paused;
    out["next_at"] = fires ? shown(schedule.next_at) : json::value();
    out["last_slot"] = shown(schedule.last_slot);
    out["last_run_id"] = shown(schedule.last_run);
    PAWL_SHOW(out, schedule, (shown, fired, skipped, missed));
    out["backfill"] = nullptr;
    if (schedule.backfill_at && schedule.backfill_to) {
        out["backfill"] = {
            {"next_at", to_rfc3339(*schedule.backfill_at)},
            {"to", to_rfc3339(*schedule.backfill_to)}};
    }
    return out;
}

json::object with_upcoming(const store::ScheduleDetails& schedule) {
    json::object out = to_json(schedule);
    json::array& upcoming = out["upcoming"].emplace_array();
    for (const Instant slot : upcoming_slots(schedule)) upcoming.emplace_back(to_rfc3339(slot));
    return out;
}

}  // namespace pawl::app
