#include "store/mem_tables.hpp"

#include <algorithm>

// What people and programs ask the tables.
namespace pawl::store {

// --- Looking ------------------------------------------------------------------------------------

std::vector<Event> MemTables::load_log(Bucket bucket, RunId run) const {
    std::vector<Event> log;
    const auto found = events_.find({bucket, run});
    if (found == events_.end()) return log;
    for (const auto& [seq, event] : found->second) log.push_back(event);
    return log;
}

namespace {

constexpr const char* state_names[] = {"ready", "leased", "parked"};

}  // namespace

std::optional<RunSummary> MemTables::open_summary(const RunKey& key) const {
    const auto found = live_.find(key);
    if (found == live_.end()) return std::nullopt;
    const LiveRun& run = found->second;
    const auto workflow = workflows_.find(run.workflow);
    if (workflow == workflows_.end()) return std::nullopt;
    RunSummary summary;
    summary.id = key.second;
    summary.workflow = workflow->second.name;
    summary.version = run.version;
    summary.status = state_names[static_cast<std::size_t>(run.state)];
    summary.subject = run.subject;
    summary.started_at = Instant(std::chrono::milliseconds(unix_ms_of(key.second.uuid)));
    summary.due_at = run.due_at;
    return summary;
}

std::optional<RunSummary> MemTables::closed_summary(const RunKey& key) const {
    const auto found = closed_.find(key);
    if (found == closed_.end()) return std::nullopt;
    const Close& close = found->second.close;
    const auto workflow = workflows_.find(close.workflow);
    if (workflow == workflows_.end()) return std::nullopt;
    RunSummary summary;
    summary.id = key.second;
    summary.workflow = workflow->second.name;
    summary.version = close.version;
    summary.status = name(close.status);
    summary.subject = close.subject;
    summary.started_at = close.started_at;
    summary.closed_at = found->second.closed_at;
    summary.output = close.output;
    summary.error = close.error;
    return summary;
}

std::optional<RunSummary> MemTables::find_run(Bucket bucket, RunId run) const {
    auto open = open_summary({bucket, run});
    return open ? open : closed_summary({bucket, run});
}

std::vector<RunSummary> MemTables::list_runs(Bucket bucket, const RunFilter& filter) const {
    std::vector<RunSummary> found;
    const auto wanted = [&filter](const RunSummary& run, bool open) {
        return (filter.workflow.empty() || run.workflow == filter.workflow) &&
               (filter.status.empty() || run.status == filter.status ||
                (open && filter.status == "running")) &&
               (!filter.before || run.id < *filter.before);
    };
    for (const auto& [key, run] : live_) {
        const auto summary = open_summary(key);
        if (key.first == bucket && summary && wanted(*summary, true)) found.push_back(*summary);
    }
    for (const auto& [key, run] : closed_) {
        const auto summary = closed_summary(key);
        if (key.first == bucket && summary && wanted(*summary, false)) found.push_back(*summary);
    }
    std::sort(found.begin(), found.end(), [](const RunSummary& a, const RunSummary& b) {
        return a.id > b.id;
    });
    const auto limit = static_cast<std::size_t>(std::max(filter.limit, 0));
    if (found.size() > limit) found.resize(limit);
    return found;
}

std::vector<MemTables::OpenRun> MemTables::open_runs(Bucket bucket) const {
    std::vector<OpenRun> open;
    for (const auto& [key, run] : live_) {
        if (key.first != bucket) continue;
        const char* state = state_names[static_cast<std::size_t>(run.state)];
        open.push_back({key.second, state, run.worker, run.due_at});
    }
    return open;
}

std::vector<RunId> MemTables::closed_runs(Bucket bucket) const {
    std::vector<RunId> ids;
    for (const auto& [key, run] : closed_) {
        if (key.first == bucket) ids.push_back(key.second);
    }
    return ids;
}

}  // namespace pawl::store
