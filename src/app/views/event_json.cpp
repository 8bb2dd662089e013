#include "app/views/event_json.hpp"

#include "app/views/json_parts.hpp"
#include "app/views/run_json.hpp"

#include <algorithm>

namespace pawl::app {

void put_times_in_order(RunId run, std::vector<Event>& log) {
    Instant last = created_at(run);
    for (Event& event : log) last = event.at = std::max(event.at, last);
}

json::object to_json(const Event& event) {
    json::object out;
    PAWL_SHOW(out, event, (shown, seq, at));
    out["type"] = name(event.type);
    if (!event.node.empty()) out["step"] = event.node;
    if (event.attempt != 0) out["attempt"] = event.attempt;
    if (!event.data.is_null()) out["data"] = event.data;
    if (!event.error.is_null()) out["error"] = event.error;
    return out;
}

std::string_view author_of(const Event& event) {
    // A message that came says it in its data, and a step that a person decided in what it leaves.
    const json::value* said = &event.data;
    if (event.type == EventType::signal_received) said = find(event.data, "data");
    if (event.type == EventType::node_passed) said = find(event.data, "value");
    return said == nullptr ? std::string_view() : text_in(*said, "by");
}

void add_place(json::object& out, const Event& event, const plan::EventPlace& place) {
    // In a line every event is of the first visit of the only branch.
    const bool only = event.token == 0 && place.visit == 1 && place.items.empty();
    if (place.visit == 0 || only) return;
    out["branch"] = event.token;
    out["visit"] = place.visit;
    if (!place.items.empty()) out["item"] = json::array(place.items.begin(), place.items.end());
}

json::object to_json(const Event& event, const plan::EventPlace& place) {
    json::object out = to_json(event);
    add_place(out, event, place);
    return out;
}

json::object to_json(const store::TailEvent& event) {
    json::object out;
    out["run_id"] = to_string(event.run);
    PAWL_SHOW(out, event, (shown, workflow, seq, type));
    if (!event.step.empty()) out["step"] = event.step;
    if (event.attempt != 0) out["attempt"] = event.attempt;
    out["at"] = to_rfc3339(std::max(event.at, created_at(event.run)));
    return out;
}

json::object to_json(const store::InboxEvent& event) {
    json::object out;
    PAWL_SHOW(
        out, event, (shown, id, name), (or_null, key, subject, source), (shown, time, data, at)
    );
    out["state"] = event.pending ? "pending" : "matched";
    out["problem"] = or_null(event.problem);
    return out;
}

json::object to_json(const store::Watch& watch) {
    json::object out;
    out["table"] = watch.source;
    PAWL_SHOW(
        out,
        watch,
        (shown, event, operations),
        (or_null, tenant_column, subject_column),
        (shown, workflows),
        (or_null, problem)
    );
    return out;
}

}  // namespace pawl::app
