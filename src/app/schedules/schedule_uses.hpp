#pragma once

#include "app/audiences/audiences.hpp"
#include "app/runs/start_run.hpp"
#include "store/repos/schedules.hpp"

#include <vector>

namespace pawl::app {

// What the use cases of schedules work with. All of it outlives them.
struct ScheduleUses {
    store::Schedules& schedules;
    store::PgStore& store;
    store::Jobs& jobs;
    Programs& programs;
    Admission& admission;
    Starter& starter;
    Audiences& audiences;
    JobRunner& audience_runner;
};

struct SchedulePage {
    std::vector<store::ScheduleDetails> schedules;  // by id
    bool more = false;
};
asio::awaitable<SchedulePage> list_schedules(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleFilter filter
);

// An error when the tenant has no such schedule; so for the others that take an id.
asio::awaitable<Result<store::ScheduleDetails>> find_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
);
// The runs of its newest slots, newest first.
asio::awaitable<std::vector<store::RunSummary>> last_runs(
    ScheduleUses& uses, store::ScheduleDetails schedule
);

// These answer with the schedule as it is then. Twice is once.
asio::awaitable<Result<store::ScheduleDetails>> pause_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id, std::string reason
);
asio::awaitable<Result<store::ScheduleDetails>> resume_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
);
asio::awaitable<Result<store::ScheduleDetails>> cancel_backfill(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
);

struct Backfill {
    std::size_t slots = 0;
    store::ScheduleDetails schedule;
};
// Starts every slot from `from` to before `to` that has not been started.
asio::awaitable<Result<Backfill>> backfill_schedule(
    ScheduleUses& uses, store::ScheduleDetails schedule, Instant from, Instant to
);

// Starts a run now, with this input or that of the schedule.
asio::awaitable<Result<StartedRun>> trigger_schedule(
    ScheduleUses& uses, Caller caller, store::ScheduleId id, std::optional<json::value> input
);

// The same for an audience: a job reads it and starts its runs.
asio::awaitable<Result<store::Job>> trigger_audience(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
);
// Whom the audience of a schedule gives now; starts nothing.
asio::awaitable<Result<AudiencePreview>> preview_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
);

Error no_schedule(std::string_view id);

}  // namespace pawl::app
