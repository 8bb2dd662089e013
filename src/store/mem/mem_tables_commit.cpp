#include "store/mem/mem_tables.hpp"

#include <algorithm>

// Whether a worker may commit what it sends: what commit_runs and resent_runs of the schema look at
// before they write.
namespace pawl::store {

namespace {

Failure not_held(WorkerId worker, const std::vector<RunId>& runs) {
    std::string named;
    for (const RunId& run : runs) named += (named.empty() ? "" : ",") + to_string(run);
    return Failure(
        {Errc::not_held,
         "worker " + to_string(worker) + " does not hold these runs",
         {{"runs", named}}}
    );
}

bool same_fact(const Event& a, const Event& b) {
    return a.type == b.type && std::max<std::int16_t>(a.attempt, 0) == b.attempt &&
           a.node == b.node && a.data == b.data && a.token == b.token;
}

}  // namespace

bool MemTables::is_held(const CommitBatch& batch, RunId run) const {
    const auto found = live_.find({batch.bucket, run});
    return found != live_.end() && found->second.worker == batch.worker;
}

void MemTables::check_held(const CommitBatch& batch) const {
    if (!checks_leases) return;
    std::vector<RunId> lost;
    for (const RunId& run : runs_of(batch)) {
        if (!is_held(batch, run)) lost.push_back(run);
    }
    if (!lost.empty()) throw not_held(batch.worker, lost);
    for (const Signal& signal : batch.consumed) {
        if (!signals_.contains({batch.bucket, signal.run, signal.id})) {
            throw not_held(batch.worker, {});
        }
    }
}

std::set<RunId> MemTables::through(const CommitBatch& batch) const {
    struct Count {
        int events = 0;
        int same = 0;
        int other = 0;
    };
    std::map<RunId, Count> counts;
    for (const RunId& run : runs_of(batch)) counts[run];
    for (const LogRow& row : batch.events) {
        Count& count = counts[row.run];
        ++count.events;
        const auto log = events_.find({batch.bucket, row.run});
        if (log == events_.end()) continue;
        const auto written = log->second.find(row.event.seq);
        if (written == log->second.end()) continue;
        ++(same_fact(row.event, written->second) ? count.same : count.other);
    }
    std::set<RunId> done;
    std::vector<RunId> lost;
    for (const auto& [run, count] : counts) {
        const bool mine = is_held(batch, run);
        if (count.other > 0 || (count.same < count.events && !mine)) {
            lost.push_back(run);
        } else if (count.same == count.events && (count.events > 0 || !mine)) {
            done.insert(run);
        }
    }
    if (!lost.empty()) throw not_held(batch.worker, lost);
    return done;
}

std::vector<RunId> MemTables::mend_runs(Bucket bucket, const std::vector<RunId>& runs) {
    std::vector<RunId> mended;
    for (const RunId& run : runs) {
        const RunKey key{bucket, run};
        if (!closed_.contains(key) || !live_.contains(key)) continue;
        erase_live(key);
        erase_signals(key);
        mended.push_back(run);
    }
    return mended;
}

}  // namespace pawl::store
