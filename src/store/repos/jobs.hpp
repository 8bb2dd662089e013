#pragma once

#include "pg/pool.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Work that takes longer than the call that asked for it.
struct Job {
    Uuid id;
    Tenant tenant;
    std::string kind;  // replay, bulk
    json::value filter;
    std::string status;  // queued, running, done, failed, cancelled
    std::int64_t total = 0;
    std::int64_t done = 0;
    std::int64_t failed = 0;
    std::string error;  // why the job as a whole failed, or who cancelled it
    Instant created_at{};
    Instant updated_at{};
    // Of a bulk job.
    json::value request;          // {action, limit, signal?: {kind, data}}
    json::value examples;         // [{run, problem, node?}]: a few of those that failed
    json::value counts;           // what it found out, by name
    std::optional<RunId> cursor;  // runs older than this one are still to be looked at

    bool is_over() const { return status != "queued" && status != "running"; }
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
    std::optional<RunId> next;  // the next part begins below this run; none: this was the last
    json::object counts = {};   // added to those of the job
};

// pawl.job. Progress is written with the work, in one transaction: a server that dies in the middle
// loses nothing, and the next claimer repeats nothing. The pool must outlive it.
class Jobs {
public:
    explicit Jobs(pg::Pool& pool) : pool_(pool) {}

    // A job that replays the dead letters that match and are there now. The same id again gives
    // the job that has it; Errc::conflict when that is another tenant's.
    asio::awaitable<Job> create_replay(Uuid id, std::int32_t tenant, DeadLetterFilter filter);
    asio::awaitable<std::optional<Job>> find(std::int32_t tenant, Uuid id);
    // Newest first.
    asio::awaitable<std::vector<Job>> list(std::int32_t tenant, JobFilter filter);
    // Nothing more is done; what was done stays. The job as it is then: what was over stays as it
    // was. None: there is no such job.
    asio::awaitable<std::optional<Job>> cancel(std::int32_t tenant, Uuid id, std::string by);
    // A job that no server works on now; it is the caller's for that long. Tenants take turns: the
    // next one after that tenant comes first, with the job that has waited for the longest time.
    asio::awaitable<std::optional<Job>> claim(Duration lease, std::int32_t after = 0);
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
    // The caller does not go on with it for now: another job has its turn first.
    asio::awaitable<void> let_go(Uuid id);
    // The job as a whole cannot go on.
    asio::awaitable<void> fail(Uuid id, std::string error);

private:
    asio::awaitable<Job> created(Uuid id, std::int32_t tenant, pg::Statement create);

    pg::Pool& pool_;
};

}  // namespace pawl::store
