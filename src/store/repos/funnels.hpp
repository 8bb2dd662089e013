#pragma once

#include "pg/pool.hpp"
#include "store/repos/inbox.hpp"
#include "store/store.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// What one look of a projector did.
struct Projected {
    std::int64_t counted = 0;
    bool more = false;  // there is more to do at once
};

// An event that may be a goal of a run that hangs on a key or a filter.
struct GoalDoubt {
    RunId run;
    std::string goal;
    std::int64_t event_id = 0;  // of the inbox
    json::value filter;         // null: there is none
    json::value event;          // {id, name, key, subject, data}
    bool passes = false;        // what was found
};

// How far the counts of a bucket are.
struct Projection {
    std::string name;
    Bucket bucket = 0;
    bool rebuilding = false;
    std::int64_t counted = 0;
    Instant started_at{};
    Instant looked_at{};
    std::optional<Instant> complete_since;  // hours before cannot be counted again
    std::int64_t goals_pending = 0;
    std::int64_t transactions_behind = 0;
};

// Which counts of a workflow. Times are at full hours.
struct FunnelFilter {
    WorkflowId workflow = 0;
    std::optional<Instant> from, to;
    std::optional<std::int32_t> version;
    std::string by;  // variant, channel, day, version; empty: all together
};

struct FunnelCount {
    std::string key;   // of the group
    std::string node;  // empty: of whole runs
    std::string what;
    std::string detail;  // handle, reason, code, place of an edge
    std::int64_t count = 0;
};

struct FunnelCounts {
    std::vector<FunnelCount> rows;
    std::vector<FunnelCount> people;  // key and count alone
    std::vector<FunnelCount> now;     // what: inside, waiting
    std::optional<Instant> as_of;     // none: nothing was counted yet
    bool rebuilding = false;
    bool counted = false;                 // whether runs that begin now count
    std::optional<Instant> counted_from;  // none: all of them
};

// A person in a workflow, or out of it.
struct PersonPlace {
    RunId run;
    std::int32_t token = 0;
    std::int32_t version = 1;
    std::string node;
    std::string state;
    Instant since{};
    std::string subject;
};

struct PlaceCursor {
    std::string node;
    RunId run;
    std::int32_t token = 0;
};

// States that list runs that have ended; `ended`: in any way.
inline constexpr std::string_view ends_known[] = {
    "completed", "exited", "failed", "cancelled", "ended"};

struct PlaceFilter {
    WorkflowId workflow = 0;
    std::string at;     // node
    std::string state;  // of closed runs: see ends_known
    std::optional<std::int32_t> version;
    std::optional<Instant> from, to;  // of closed runs: when they ended
    std::optional<PlaceCursor> after;
    int limit = 50;
};

// Events that came in a time.
struct PastEvents {
    Instant from{}, until{};
    std::vector<InboxEvent> events;  // oldest first
};

// The run by which a subject entered a workflow last.
struct LastEntry {
    RunId run;
    Instant at{};
};

// Counts of journeys, and where people are in them. The pool must outlive it.
class Funnels {
public:
    explicit Funnels(pg::Pool& pool) : pool_(pool) {}

    // One look of the projector; none: another process has it.
    asio::awaitable<std::optional<Projected>> project(Bucket bucket);
    // So that the next look need not read again what the last ones have read.
    asio::awaitable<void> summarize();
    // Events that may be goals; they stay until they are settled.
    asio::awaitable<std::vector<GoalDoubt>> doubts(Bucket bucket, int limit);
    asio::awaitable<void> settle(Bucket bucket, std::vector<GoalDoubt> doubts);
    // How many buckets begin anew.
    asio::awaitable<int> rebuild();
    asio::awaitable<std::vector<Projection>> projections();

    asio::awaitable<FunnelCounts> counts(Tenant tenant, FunnelFilter filter);
    // Lets the runs of a workflow count from now on.
    asio::awaitable<void> count_workflow(Tenant tenant, std::string name);
    // One more than the limit when there are more. Closed runs come newest first.
    asio::awaitable<std::vector<PersonPlace>> places(Tenant tenant, PlaceFilter filter);

    // Where these runs are, at one node.
    asio::awaitable<std::vector<PersonPlace>> places_of(
        Tenant tenant, WorkflowId workflow, std::string node, std::vector<RunId> runs
    );

    // The runs of a workflow that were started under these keys.
    asio::awaitable<std::map<std::string, RunId>> runs_of_keys(
        Tenant tenant, WorkflowId workflow, std::vector<std::string> keys
    );
    // By subject, where the workflow's rules of entry ask for that.
    asio::awaitable<std::map<std::string, LastEntry>> last_entries(
        Tenant tenant, WorkflowId workflow, std::vector<std::string> subjects
    );

    // At most so many, those that came first.
    asio::awaitable<PastEvents> past_events(
        Tenant tenant, std::vector<std::string> names, Duration since, int limit
    );

private:
    // Closed runs whose log says where, how or when they ended.
    asio::awaitable<std::vector<PersonPlace>> ended(Tenant tenant, PlaceFilter filter);

    pg::Pool& pool_;
};

}  // namespace pawl::store
