#pragma once

#include "store/store.hpp"

#include <optional>
#include <vector>

// What both stores do the same way when runs are looked at.
namespace pawl::store {

// Run ids carry their time, so a time range is a range of ids: [from, before).
struct IdRange {
    std::optional<Uuid> from;
    std::optional<Uuid> before;
};
IdRange range_of(const RunFilter& filter);

// A walk over runs, newest first, and the id where it had to stop before the end.
struct Walk {
    std::vector<RunSummary> runs;
    std::optional<RunId> stopped_at;
    std::optional<std::int64_t> scanned = std::nullopt;  // how many runs were looked through
};

// The page of two walks that were each asked for more than `limit` runs. Below the place where one
// of them stopped nothing is certain, so the page ends there.
RunPage merged(Walk first, Walk second, int limit);

// Takes over what event 0 says about a run.
void add_start_data(const json::value& data, RunDetails& details);

}  // namespace pawl::store
