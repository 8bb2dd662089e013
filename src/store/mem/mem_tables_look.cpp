#include "model/data_condition.hpp"
#include "store/mem/mem_tables.hpp"
#include "store/run_pages.hpp"

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

// What an open run and a closed one say in the same words.
template <class Run>
RunDetails details_of(RunId id, std::string workflow, const Run& run) {
    RunDetails details;
    details.id = id;
    details.workflow = std::move(workflow);
    details.version = run.version;
    details.subject = run.subject;
    details.tenant = run.tenant;
    details.workflow_id = run.workflow;
    return details;
}

// Simulations write errors in plain letters.
std::string small(std::string_view text) {
    std::string letters(text);
    for (char& letter : letters) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 'a' - 'A');
    }
    return letters;
}

bool has_error(const RunDetails& run, const std::string& wanted) {
    if (wanted.empty()) return true;
    for (const char* key : {"message", "code", "class", "step"}) {
        const std::string text = small(text_in(run.error, key));
        if (text.find(small(wanted)) != std::string::npos) return true;
    }
    return false;
}

bool meets_all(const RunDetails& run, const std::vector<std::string>& where) {
    return std::all_of(where.begin(), where.end(), [&](const std::string& text) {
        const auto condition = read_data_condition(text);
        return condition && meets(run.input, *condition);
    });
}

constexpr const char* state_names[] = {"ready", "leased", "parked", "queued"};

}  // namespace

void MemTables::add_start(const RunKey& key, RunDetails& details) const {
    const auto log = load_log(key.first, key.second);
    if (!log.empty()) add_start_data(log.front().data, details);
}

std::optional<RunDetails> MemTables::open_details(const RunKey& key) const {
    const auto found = live_.find(key);
    if (found == live_.end()) return std::nullopt;
    const LiveRun& run = found->second;
    const auto workflow = workflows_.find(run.workflow);
    if (workflow == workflows_.end()) return std::nullopt;
    RunDetails details = details_of(key.second, workflow->second.name, run);
    const bool queued =
        run.state == LiveState::queued || (run.state == LiveState::ready && run.due_at <= now);
    details.status = run.state == LiveState::leased ? "running" : queued ? "queued" : "waiting";
    details.started_at = Instant(std::chrono::milliseconds(unix_ms_of(key.second.uuid)));
    details.due_at = run.due_at;
    add_start(key, details);
    details.priority = run.priority;
    return details;
}

std::optional<RunDetails> MemTables::closed_details(const RunKey& key) const {
    const auto found = closed_.find(key);
    if (found == closed_.end()) return std::nullopt;
    const Close& close = found->second.close;
    const auto workflow = workflows_.find(close.workflow);
    if (workflow == workflows_.end()) return std::nullopt;
    RunDetails details = details_of(key.second, workflow->second.name, close);
    details.status = name(close.status);
    details.started_at = close.started_at;
    details.closed_at = found->second.closed_at;
    details.output = close.output;
    details.error = close.error;
    add_start(key, details);
    return details;
}

std::optional<RunDetails> MemTables::find_run(Tenant tenant, RunId run) const {
    auto found = open_details({tenant.bucket, run});
    if (!found) found = closed_details({tenant.bucket, run});
    if (found && found->tenant != tenant.id) return std::nullopt;
    return found;
}

bool MemTables::has_correlation(Tenant tenant, RunId run, const std::string& key) const {
    return std::any_of(correlations_.begin(), correlations_.end(), [&](const auto& entry) {
        const auto& [bucket, owner, workflow, taken] = entry.first;
        return entry.second == run && bucket == tenant.bucket && owner == tenant.id && taken == key;
    });
}

RunPage MemTables::list_runs(Tenant tenant, const RunFilter& filter) const {
    const IdRange range = range_of(filter);
    const auto wanted = [&](const RunDetails& run) {
        const auto& statuses = filter.status;
        const bool status_fits =
            statuses.empty() ||
            std::find(statuses.begin(), statuses.end(), run.status) != statuses.end();
        return status_fits && run.tenant == tenant.id &&
               (filter.workflow.empty() || run.workflow == filter.workflow) &&
               (filter.subject.empty() || run.subject == filter.subject) &&
               (filter.correlation_id.empty() ||
                has_correlation(tenant, run.id, filter.correlation_id)) &&
               (!range.from || run.id.uuid >= *range.from) &&
               (!range.before || run.id.uuid < *range.before) && has_error(run, filter.error) &&
               meets_all(run, filter.where);
    };
    std::vector<RunSummary> found;
    for (const auto& [key, run] : live_) {
        const auto details = open_details(key);
        if (key.first == tenant.bucket && details && wanted(*details)) found.push_back(*details);
    }
    for (const auto& [key, run] : closed_) {
        const auto details = closed_details(key);
        if (key.first == tenant.bucket && details && wanted(*details)) found.push_back(*details);
    }
    std::sort(found.begin(), found.end(), [](const RunSummary& a, const RunSummary& b) {
        return a.id > b.id;
    });
    return merged({std::move(found), std::nullopt}, {}, filter.limit);
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
