#include "app/jobs/migrate_jobs.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "model/events/whole_run_events.hpp"

#include <algorithm>
#include <set>

namespace pawl::app {

namespace {

using ProgramMap = std::map<std::int32_t, engine::ProgramPtr>;

// Judges runs one after the other; what is the same for all of one version is worked out once.
class Judge {
public:
    Judge(const ProgramMap& programs, const store::RunMigration& migration)
        : programs_(programs), migration_(migration) {}

    // Nothing: it stands on a step whose runs end.
    std::optional<plan::Verdict> judge(const std::vector<Event>& log) {
        std::vector<plan::Pin> pins;
        for (const std::int32_t version : plan::pinned_versions(log)) {
            const auto known = programs_.find(version);
            if (known == programs_.end()) return unknown(version);
            pins.emplace_back(version, &known->second->definition);
        }
        if (pins.empty()) return unknown(0);
        const Definition& from = *pins.back().second;
        const auto place = crossings_.try_emplace(pins.back().first, from, to(), migration_.map);
        const plan::RunState state = plan::fold(pins, log);
        if (stands_on_exit(from, state)) return std::nullopt;
        return place.first->second.judge(state);
    }

private:
    static plan::Verdict unknown(std::int32_t version) {
        return {
            plan::Impact::would_break,
            "",
            "its version " + std::to_string(version) + " cannot be read"};
    }
    bool stands_on_exit(const Definition& from, const plan::RunState& state) const {
        const auto& ends = migration_.exit;
        return std::any_of(state.tokens.begin(), state.tokens.end(), [&](const auto& token) {
            const std::string& id = from.nodes[token.node].id;
            return std::find(ends.begin(), ends.end(), id) != ends.end();
        });
    }
    const Definition& to() const { return programs_.at(migration_.to)->definition; }

    const ProgramMap& programs_;
    const store::RunMigration& migration_;
    std::map<std::int32_t, plan::Crossing> crossings_;
};

void count(json::object& counts, std::string_view what) {
    json::value& number = counts[what];
    number = whole_number(&number).value_or(0) + 1;
}

bool is_meant(const store::RunMigration& migration, std::int32_t version) {
    if (version == migration.to) return false;
    const auto& from = migration.from;
    return from.empty() || std::find(from.begin(), from.end(), version) != from.end();
}

}  // namespace

asio::awaitable<store::BulkPart> MigrateJobs::judge(
    store::Job job, store::BulkPart part, std::vector<store::RunSummary> runs
) {
    const store::RunMigration migration = store::migration_of(job.request);
    std::vector<RunId> meant;
    for (const store::RunSummary& run : runs) {
        if (is_meant(migration, run.version)) meant.push_back(run.id);
    }
    if (meant.empty()) co_return part;
    const auto rows = co_await jobs_.load_logs(job.tenant, meant);
    std::vector<std::pair<RunId, std::vector<Event>>> logs;
    std::set<RunId> unreadable;
    for (const store::LogRow& row : rows) {
        if (!row.readable) unreadable.insert(row.run);
    }
    for (const RunId& run : unreadable) {
        part.problems.push_back({run, "its log holds a value that cannot be read"});
    }
    for (const store::LogRow& row : rows) {
        if (unreadable.contains(row.run)) continue;
        if (logs.empty() || logs.back().first != row.run) logs.emplace_back().first = row.run;
        logs.back().second.push_back(row.event);
    }
    ProgramMap programs;
    store::WorkflowId workflow = 0;
    for (const auto& [run, log] : logs) {
        workflow = events::read_one(log.front().data, &events::RunStarted::workflow);
        auto versions = plan::pinned_versions(log);
        versions.push_back(migration.to);
        for (const std::int32_t version : versions) {
            if (programs.contains(version)) continue;
            auto program = co_await programs_.version(workflow, version);
            if (program) programs[version] = std::move(*program);
        }
    }
    if (!programs.contains(migration.to)) {
        for (const RunId& run : meant) {
            part.problems.push_back({run, "the new version cannot be read"});
        }
        co_return part;
    }
    Judge judge(programs, migration);
    for (const auto& [run, log] : logs) {
        auto verdict = judge.judge(log);
        count(part.counts, verdict ? name(verdict->impact) : "exits");
        if (!verdict) {
            part.exits.push_back(run);
        } else if (verdict->impact != plan::Impact::would_break) {
            part.runs.push_back(run);
        } else {
            part.problems.push_back({run, std::move(verdict->reason), std::move(verdict->node)});
        }
    }
    co_return part;
}

asio::awaitable<void> MigrateJobs::finish(store::Job job) {
    const store::RunMigration migration = store::migration_of(job.request);
    if (migration.dry_run || !migration.drain) co_return;
    const std::string workflow(text_in(job.filter, "workflow"));
    for (const std::int32_t version : migration.from) {
        const auto problem = co_await versions_.retire(
            store::Author(job.tenant.id, migration.by), workflow, version, true
        );
        if (problem.empty()) continue;
        log::warn("a version was not retired after a migration", {log::field("reason", problem)});
    }
}

}  // namespace pawl::app
