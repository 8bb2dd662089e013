#include "engine/observe/trace_links.hpp"

#include "engine/observe/trace_ids.hpp"
#include "model/events/whole_run_events.hpp"

#include <string_view>

namespace pawl::engine {

namespace {

// Ids are letters, digits and dashes: nothing of them has to be encoded.
void fill(std::string& url, std::string_view name, const std::string& id) {
    for (std::size_t at = url.find(name); at != url.npos; at = url.find(name, at + id.size())) {
        url.replace(at, name.size(), id);
    }
}

}  // namespace

std::vector<std::string> TraceLinks::of(RunId run, const std::vector<Event>& log) const {
    std::vector<std::string> urls(log.size());
    if (url.empty() || log.empty()) return urls;
    const json::value& started = log.front().data;
    if (!origin_of(started) && !is_sampled(run, sample)) return urls;
    const auto copied = events::read_one(started, &events::Chain::copied).value_or(0);
    const std::vector<TraceId> traces = traces_of(run, log, cut);
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (i > 0 && log[i].seq <= copied) continue;
        urls[i] = url;
        fill(urls[i], "{trace_id}", to_hex(traces[i]));
        fill(urls[i], "{run_id}", to_string(run));
    }
    return urls;
}

}  // namespace pawl::engine
