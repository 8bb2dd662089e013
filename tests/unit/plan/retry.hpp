#pragma once

#include "graph_run.hpp"

namespace pawl::plan {

// Whether the visit that an event is of came to an end at it or later.
inline bool is_finished(const std::vector<Event>& log, const Event& event) {
    return std::any_of(log.begin(), log.end(), [&](const Event& later) {
        if (later.seq < event.seq || later.token != event.token || later.node != event.node) {
            return false;
        }
        return later.type == EventType::step_completed || later.type == EventType::node_passed ||
               later.type == EventType::step_skipped ||
               (later.type == EventType::step_failed && !find(later.data, "retry_at") &&
                (find(later.data, "caught") || find(later.data, "withdrawn")));
    });
}

// The log that pawl.retry_runs makes of that of a failed run without anything undone: what ended it
// is left out, failures that nothing caught, and waits that were not over.
inline std::vector<Event> retried(const std::vector<Event>& old) {
    std::vector<Event> log;
    for (const Event& event : old) {
        const bool ends = event.type == EventType::run_failed ||
                          event.type == EventType::run_cancelled ||
                          event.type == EventType::run_stopping;
        const std::string_view kind = text_in(event.data, "for");
        const bool awaited = kind == "event" || kind == "signal" || kind == "task";
        const bool waits = (event.type == EventType::wait_started && awaited) ||
                           event.type == EventType::wait_noted;
        const bool begins_anew =
            event.type == EventType::step_failed || (waits && !event.node.empty());
        if (ends || (begins_anew && !is_finished(old, event))) continue;
        log.push_back(event);
        log.back().seq = static_cast<std::int32_t>(log.size()) - 1;
    }
    json::object& data = log.front().data.as_object();
    data["retry_of"] = "first";
    data["copied"] = log.size() - 1;
    if (!data.contains("first_run")) data["first_run"] = "first";
    return log;
}

class Retry : public GraphRun {
public:
    Retry(const Definition& definition, const std::vector<Event>& log)
        : GraphRun(definition, retried(log)) {}
};

}  // namespace pawl::plan
