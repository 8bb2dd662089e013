#pragma once

#include "graph_run.hpp"

namespace pawl::plan {

// The log that pawl.retry_runs makes of that of a failed run without anything undone: what ended it
// is left out, and failures that nothing caught.
inline std::vector<Event> retried(const std::vector<Event>& old) {
    std::vector<Event> log;
    for (const Event& event : old) {
        const bool ends = event.type == EventType::run_failed ||
                          event.type == EventType::run_cancelled ||
                          event.type == EventType::run_stopping;
        const bool caught = find(event.data, "caught") || find(event.data, "withdrawn") ||
                            find(event.data, "retry_at");
        if (ends || (event.type == EventType::step_failed && !caught)) continue;
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
