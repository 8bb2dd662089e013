#pragma once

#include "model/schedule.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

using ScheduleId = std::int32_t;

// What a scheduler has to know about a schedule.
struct Schedule {
    ScheduleId id = 0;
    Tenant tenant;
    WorkflowId workflow = 0;
    std::int32_t version = 1;          // of the workflow: what a start uses
    std::vector<VersionShare> canary;  // which others have a share of the starts
    std::string cron;
    std::string timezone;
    Overlap overlap = Overlap::skip;
    Duration catch_up{};
    Duration jitter{};
    json::value input;
    std::string audience;            // a query: its slots start a run for each row; empty: one run
    std::string unreadable;          // why it cannot be carried out; empty: it can
    Instant since{};                 // slots after this count
    std::optional<Instant> next_at;  // the next slot; none: not worked out yet
    std::optional<Instant> due_at;   // when to look at it; none: never
    std::optional<Instant> backfill_at;
    std::optional<Instant> backfill_to;
    std::optional<Instant> backfill_due;
    Instant now{};  // the database's time when it was read
};

struct ScheduleDetails : Schedule {
    std::string workflow_name;
    std::int32_t place = 0;  // among the definition's triggers
    bool active = true;      // the workflow is
    std::optional<Instant> paused_at;
    std::string pause_reason;
    std::optional<Instant> last_slot;
    std::optional<RunId> last_run;
    std::int64_t fired = 0;
    std::int64_t skipped = 0;  // a run was open
    std::int64_t missed = 0;   // no scheduler looked in time
    std::string problem;       // why it does not fire
    std::string local_time;    // when in the day of each of its audience; empty: at the slot
};

struct ScheduleFilter {
    std::string workflow;
    std::optional<ScheduleId> id;
    ScheduleId after = 0;  // keyset cursor
    int limit = 1000;
};

// What a scheduler has decided about a schedule it has looked at.
struct ScheduleMove {
    Bucket bucket = 0;
    ScheduleId id = 0;
    bool backfill = false;        // it is about the backfill
    std::optional<Instant> seen;  // next_at or backfill_at as it was read
    std::optional<Instant> next;  // what it becomes
    std::optional<Instant> due;   // when to look again
    std::int64_t missed = 0;
    std::string problem;         // empty: none
    std::vector<Instant> slots;  // due, oldest first
    std::vector<NewRun> runs;    // one each, or the first one's where runs must not overlap
};

struct ScheduleMoved {
    std::int32_t started = 0;
    std::int32_t skipped = 0;
};

// pawl.schedule: the cron triggers of the workflows. The pool must outlive it.
class Schedules {
public:
    explicit Schedules(pg::Pool& pool) : pool_(pool) {}

    // Those that are due now or within `ahead`, soonest first.
    asio::awaitable<std::vector<Schedule>> due(Bucket bucket, Duration ahead, int limit);
    // Starts the runs and moves the schedule on, in one transaction. Nothing: another scheduler was
    // quicker, or the schedule has changed meanwhile.
    asio::awaitable<std::optional<ScheduleMoved>> move(ScheduleMove move);

    // By id.
    asio::awaitable<std::vector<ScheduleDetails>> list(Tenant tenant, ScheduleFilter filter);
    asio::awaitable<std::optional<ScheduleDetails>> find(Tenant tenant, ScheduleId id);
    // These do nothing when there is no such schedule, or it is so already.
    asio::awaitable<void> pause(Tenant tenant, ScheduleId id, std::string reason);
    asio::awaitable<void> resume(Tenant tenant, ScheduleId id);
    // Has every slot from `from` to before `to` started that has not been. False: there is no such
    // schedule, it is not active, or a backfill is under way.
    asio::awaitable<bool> backfill(Tenant tenant, ScheduleId id, Instant from, Instant to);
    // Starts no more of its slots; false when none is under way.
    asio::awaitable<bool> cancel_backfill(Tenant tenant, ScheduleId id);
    // Notes a run that was started by hand.
    asio::awaitable<void> note_run(Tenant tenant, ScheduleId id, RunId run);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
