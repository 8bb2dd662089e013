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

// --- Workflows ----------------------------------------------------------------------------------

std::optional<WorkflowId> MemTables::workflow_id(const std::string& name) const {
    for (const auto& [id, workflow] : workflows_) {
        if (workflow.name == name) return id;
    }
    return std::nullopt;
}

Applied MemTables::apply_workflow(const Definition& definition) {
    const json::value canonical = to_json(definition);
    const auto known = workflow_id(definition.name);
    const WorkflowId id = known.value_or(static_cast<WorkflowId>(workflows_.size()) + 1);
    const auto active = known ? find_version(id, workflows_.at(id).active_version) : std::nullopt;
    if (active && active->definition == canonical) return {id, active->version, false};
    // Versions are numbered without gaps and never removed.
    std::int32_t version = 1;
    while (versions_.contains({id, version})) ++version;
    workflows_[id] = {1, definition.name, version};
    versions_[{id, version}] = {id, 1, 0, version, definition.name, now, canonical};
    return {id, version, true};
}

std::optional<WorkflowVersion> MemTables::find_workflow(const std::string& name) const {
    const auto id = workflow_id(name);
    if (!id) return std::nullopt;
    return find_version(*id, workflows_.at(*id).active_version);
}

std::optional<WorkflowVersion> MemTables::find_version(WorkflowId id, std::int32_t version) const {
    const auto found = versions_.find({id, version});
    if (found == versions_.end()) return std::nullopt;
    return found->second;
}

std::vector<WorkflowVersion> MemTables::list_workflows() const {
    std::vector<WorkflowVersion> all;
    all.reserve(workflows_.size());
    for (const auto& [id, workflow] : workflows_) {
        all.push_back(versions_.at({id, workflow.active_version}));
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
}

}  // namespace pawl::store
