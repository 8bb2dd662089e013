#include "store/store.hpp"

#include <unordered_set>

namespace pawl::store {

std::vector<RunId> runs_of(const CommitBatch& batch) {
    std::vector<RunId> runs;
    runs.reserve(batch.events.size() + batch.parks.size() + batch.closes.size());
    std::unordered_set<RunId> seen;
    seen.reserve(runs.capacity());
    const auto add = [&](RunId run) {
        // Events of one run stand together, so most are known without a look.
        if (!runs.empty() && runs.back() == run) return;
        if (seen.insert(run).second) runs.push_back(run);
    };
    for (const Close& close : batch.closes) add(close.run);
    for (const Park& park : batch.parks) add(park.run);
    for (const LogRow& row : batch.events) add(row.run);
    for (const Signal& signal : batch.consumed) add(signal.run);
    return runs;
}

}  // namespace pawl::store
