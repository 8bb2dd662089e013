#pragma once

#include "pg/pool.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Work that takes longer than the call that asked for it.
struct Job {
    Uuid id;
    Tenant tenant;
    std::string kind;  // replay, bulk, audience
    json::value filter;
    std::string status;  // queued, running, paused, done, failed, cancelled
    std::int64_t total = 0;
    std::int64_t done = 0;
    std::int64_t failed = 0;
    std::string error;  // why the job as a whole failed or waits, or who cancelled it
    Instant created_at{};
    Instant updated_at{};
    // Of a bulk job.
    json::value request;          // {action, limit, signal?: {kind, data}}
    json::value examples;         // [{run, problem, node?}]: a few of those that failed
    json::value counts;           // what it found out, by name
    std::optional<RunId> cursor;  // runs older than this one are still to be looked at
    // Of an audience.
    std::optional<std::int32_t> schedule;
    std::optional<Instant> slot;

    bool is_over() const { return status == "done" || status == "failed" || status == "cancelled"; }
    // Whether its server may go on with it now.
    bool goes_on() const { return status == "running" && error.empty(); }
};

// Some rows of an audience.
struct AudienceRows {
    std::vector<std::optional<std::string>> subjects;
    std::vector<json::object> data;  // the other columns
};

struct JobFilter {
    std::string status;         // empty: all
    std::optional<Instant> at;  // keyset cursor: jobs that are older than this one
    Uuid id;
    int limit = 50;
};

// How many runs match a filter.
struct RunCount {
    std::int64_t total = 0;
    bool complete = true;       // false: there may be more
    std::vector<RunId> sample;  // the newest
};

// How many runs have a status.
struct StatusCount {
    std::string status;
    std::int64_t total = 0;
    bool complete = true;  // false: there are more
};

// A run to which something could not be done.
struct RunProblem {
    RunId run;
    std::string problem;
    std::string node = {};  // at which step; empty: the run as a whole
};

// What a part of a bulk job found out.
struct BulkPart {
    std::vector<RunId> runs;  // it is to be done to these; to reruns it has been done
    std::vector<RunProblem> problems;
    std::optional<RunId> next;      // the next part begins below this run; none: this was the last
    json::object counts = {};       // added to those of the job
    std::vector<RunId> exits = {};  // of a migration: these are told to end
};

// pawl.job. Progress is written with the work, in one transaction: a server that dies in the middle
// loses nothing, and the next claimer repeats nothing. The pool must outlive it.
class Jobs {
public:
    explicit Jobs(pg::Pool& pool) : pool_(pool) {}

    // A job that replays the dead letters that match and are there now. The same id again gives
    // the job that has it; Errc::conflict when that is another tenant's.
    asio::awaitable<Job> create_replay(
        Uuid id, std::int32_t tenant, DeadLetterFilter filter, ReplayFix fix = {}
    );
    asio::awaitable<std::optional<Job>> find(std::int32_t tenant, Uuid id);
    // Newest first.
    asio::awaitable<std::vector<Job>> list(std::int32_t tenant, JobFilter filter);
    // Nothing more is done; what was done stays. The job as it is then: what was over stays as it
    // was. None: there is no such job.
    asio::awaitable<std::optional<Job>> cancel(std::int32_t tenant, Uuid id, std::string by);
    // A job that no server works on now; it is the caller's for that long. Tenants take turns: the
    // next one after that tenant comes first, with the job that has waited for the longest time.
    // `audiences`: one that starts the runs of an audience; else one of the others.
    asio::awaitable<std::optional<Job>> claim(
        Duration lease, std::int32_t after = 0, bool audiences = false
    );
    // These change nothing when the job is over, or is so already. The job as it is then; none:
    // there is no such job. Only jobs of audiences can be paused.
    asio::awaitable<std::optional<Job>> pause(std::int32_t tenant, Uuid id);
    asio::awaitable<std::optional<Job>> resume(std::int32_t tenant, Uuid id);
    // Does the next part of a replay and prolongs the lease: looks at up to `limit` dead letters
    // and retries those that match. Notifies workers. Returns the job as it is now; none when it is
    // gone.
    asio::awaitable<std::optional<Job>> replay_batch(Job job, int limit, Duration lease);
    // Looks at `scan_max` open and as many closed runs at most. `unretried`: leaves out what was
    // retried before.
    asio::awaitable<RunCount> count_runs(
        Tenant tenant, RunFilter filter, bool unretried, int sample, int scan_max
    );
    // How many runs match, for each status that the filter names; `most` of each are counted.
    asio::awaitable<std::vector<StatusCount>> count_by_status(
        Tenant tenant, RunFilter filter, int most
    );
    // Which of these runs were retried before.
    asio::awaitable<std::vector<RunId>> retried(Tenant tenant, std::vector<RunId> runs);
    // A job over the runs that match and are there now; `total` of them were counted. The same id
    // again gives the job that has it; Errc::conflict when that is another tenant's.
    asio::awaitable<Job> create_bulk(
        Uuid id, std::int32_t tenant, RunFilter filter, json::object request, std::int64_t total
    );
    // Does a part of a bulk job, notes the progress and prolongs the lease, in one transaction;
    // does nothing when another server has come further with the job. Notifies workers. Returns the
    // job as it is now; none when it is gone.
    asio::awaitable<std::optional<Job>> bulk_batch(Job job, BulkPart part, Duration lease);
    // The logs of these runs, in order.
    asio::awaitable<std::vector<LogRow>> load_logs(Tenant tenant, std::vector<RunId> runs);
    // The reading of an audience: each returns the job as it is then; none when it is gone, or does
    // not run any more. Rows that were there before count once.
    asio::awaitable<std::optional<Job>> begin_audience(Uuid id, Duration lease);
    asio::awaitable<std::optional<Job>> add_audience(Uuid id, AudienceRows rows, Duration lease);
    asio::awaitable<std::optional<Job>> end_audience(Uuid id);
    // Starts the runs of the next subjects, notes the progress and prolongs the lease, in one
    // transaction. Notifies workers.
    asio::awaitable<std::optional<Job>> enter_audience(Job job, int limit, Duration lease);
    asio::awaitable<void> prolong(Uuid id, Duration lease);
    // Removes rows of audiences that were stopped; how many.
    asio::awaitable<std::int64_t> purge_audiences(int limit);
    // A job for a slot of the schedule that is now; none: there is no such schedule.
    asio::awaitable<std::optional<Job>> open_audience(std::int32_t tenant, std::int32_t schedule);
    // The caller does not go on with it for now: another job has its turn first.
    asio::awaitable<void> let_go(Uuid id);
    // The job as a whole cannot go on.
    asio::awaitable<void> fail(Uuid id, std::string error);

private:
    asio::awaitable<std::optional<Job>> change(
        std::int32_t tenant, Uuid id, const pg::Query& query
    );
    asio::awaitable<Job> created(Uuid id, std::int32_t tenant, pg::Statement create);

    pg::Pool& pool_;
};

}  // namespace pawl::store
