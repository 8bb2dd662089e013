#include "engine/observe/trace_links.hpp"

#include "engine/observe/trace_ids.hpp"
#include "model/events/whole_run_events.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace pawl::engine {

namespace {

// Ids are letters, digits and dashes: nothing of them has to be encoded.
void fill(std::string& url, std::string_view name, const std::string& id) {
    for (std::size_t at = url.find(name); at != url.npos; at = url.find(name, at + id.size())) {
        url.replace(at, name.size(), id);
    }
}

// For each event the one in whose trace it is: a wait belongs to the trace in which it began, and
// what ends it may begin another one.
std::vector<std::size_t> traced_as(const std::vector<Event>& log) {
    std::vector<std::size_t> as(log.size());
    std::map<std::pair<std::string_view, std::uint32_t>, std::size_t> waits;
    for (std::size_t i = 0; i < log.size(); ++i) {
        as[i] = i;
        if (log[i].node.empty()) continue;
        const std::pair<std::string_view, std::uint32_t> who(log[i].node, log[i].token);
        if (log[i].type == EventType::wait_started) {
            waits[who] = i;
        } else if (const auto began = waits.extract(who)) {
            as[i] = began.mapped();
        }
    }
    return as;
}

}  // namespace

std::vector<std::string> TraceLinks::of(RunId run, const std::vector<Event>& log) const {
    std::vector<std::string> urls(log.size());
    if (url.empty() || log.empty()) return urls;
    const json::value& started = log.front().data;
    if (!origin_of(started) && !is_sampled(run, sample)) return urls;
    const auto copied = events::read_one(started, &events::Chain::copied).value_or(0);
    const std::vector<TraceId> traces = traces_of(run, log, cut);
    const std::vector<std::size_t> as = traced_as(log);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const std::size_t at = as[i];
        if (at > 0 && log[at].seq <= copied) continue;
        urls[i] = url;
        fill(urls[i], "{trace_id}", to_hex(traces[at]));
        fill(urls[i], "{run_id}", to_string(run));
    }
    return urls;
}

}  // namespace pawl::engine
