#pragma once

#include "base/error.hpp"
#include "store/store.hpp"

#include <map>
#include <string>
#include <string_view>

namespace pawl::store {

// How many runs a bulk job may be about, at most and unless something else is asked for.
inline constexpr std::int64_t bulk_limit_max = 1'000'000;
inline constexpr std::int64_t bulk_limit_default = 100'000;

// What a bulk job does to each run that matches.
struct BulkAction {
    std::string action;  // cancel, pause, resume, signal, skip, settle, retry, rerun
    std::string by;
    std::string reason;
    std::string name;   // of a signal
    json::value data;   // of a signal; of a settle: the result of the step
    std::string as;     // of a settle: completed, failed, retry
    std::string node;   // of a skip or a settle
    json::value value;  // of a skip: the result of the step
    std::int64_t limit = bulk_limit_default;
};

// Runs of a workflow become ones of another version.
struct RunMigration {
    std::int32_t to = 0;
    std::vector<std::int32_t> from;          // only those of these versions; empty: of all others
    std::map<std::string, std::string> map;  // which node goes on for which
    std::vector<std::string> exit;  // runs that stand on one of these are cancelled instead
    bool dry_run = false;           // only find out what it would do
    bool drain = false;  // afterwards, retire those of `from`; what is left goes to its end
    std::string by;
    std::int64_t limit = bulk_limit_default;
};

// As a job keeps it: {action: migrate, limit, by, to, from, map, exit, dry_run, drain, signal?}.
// The message is what each run gets for which nothing stands against it.
json::object to_request(const RunMigration& migration, const Uuid& job);
RunMigration migration_of(const json::value& request);

// As a job keeps it: {action, limit, by?, signal?: {kind, data}}; of a settle {..., node, as,
// reason, data}.
json::object to_request(const BulkAction& action);

// Which runs an action can be done to. A filter without a status gets those; one with a status that
// does not fit is an error for a person.
Result<RunFilter> fitting(RunFilter filter, std::string_view action);

// Whether it leaves anything out.
bool has_condition(const RunFilter& filter);

}  // namespace pawl::store
