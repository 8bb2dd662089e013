#include "store/repos/schedules.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

// The columns that due_schedules and list_schedules share.
void read_schedule(const pg::Rows& rows, int row, Schedule& schedule) {
    pg::RowReader(rows, row) >> schedule.id >> schedule.tenant.id >> schedule.tenant.bucket >>
        schedule.workflow >> schedule.version >> schedule.cron >> schedule.timezone;
    schedule.overlap = parse_overlap(rows.text(row, 7)).value_or(Overlap::skip);
    schedule.catch_up = std::chrono::milliseconds(rows.int8(row, 8));
    schedule.jitter = std::chrono::milliseconds(rows.int8(row, 9));
    auto input = rows.readable_jsonb(row, 10);
    if (!input) schedule.unreadable = unreadable("its input");
    schedule.input = input ? std::move(*input) : rows.shown_jsonb(row, 10);
    pg::RowReader(rows, row, 11) >> schedule.since >> schedule.next_at >> schedule.due_at >>
        schedule.backfill_at >> schedule.backfill_to >> schedule.backfill_due >> schedule.now;
}

ScheduleDetails details_of(const pg::Rows& rows, int row) {
    ScheduleDetails details;
    read_schedule(rows, row, details);
    pg::RowReader(rows, row, 18) >> details.workflow_name >> details.place >> details.active >>
        details.paused_at >> details.pause_reason >> details.last_slot >> details.last_run >>
        details.fired >> details.skipped >> details.missed >> details.problem >> details.audience >>
        details.local_time;
    return details;
}

void add_runs(pg::Params& params, const std::vector<NewRun>& runs) {
    pg::Array run(pg::Type::uuid), workflow(pg::Type::int4), version(pg::Type::int4),
        data(pg::Type::jsonb), correlation(pg::Type::text);
    for (const NewRun& next : runs) {
        run.add(next.id.uuid);
        workflow.add(next.workflow);
        version.add(next.version);
        data.add_json(next.data);
        correlation.add_or_null(next.correlation);
    }
    params.add(std::move(run)).add(std::move(workflow)).add(std::move(version));
    params.add(std::move(data)).add(std::move(correlation));
}

}  // namespace

asio::awaitable<std::vector<Schedule>> Schedules::due(Bucket bucket, Duration ahead, int limit) {
    const auto rows =
        co_await call(pool_, queries::due_schedules, params_of(bucket, ahead, std::int64_t{limit}));
    std::vector<Schedule> schedules(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        Schedule& schedule = schedules[static_cast<std::size_t>(row)];
        read_schedule(rows, row, schedule);
        schedule.canary = shares_of(rows, row, 18);
        schedule.audience = rows.text(row, 19);
    }
    co_return schedules;
}

asio::awaitable<std::optional<ScheduleMoved>> Schedules::move(ScheduleMove move) {
    pg::Array slots(pg::Type::timestamptz);
    for (const Instant slot : move.slots) slots.add(slot);
    pg::Params params;
    params.add(move.bucket).add(move.id).add(move.backfill).add(move.seen).add(move.next);
    params.add(move.due).add(move.missed).add(some(move.problem)).add(std::move(slots));
    add_runs(params, move.runs);
    const auto rows = co_await call(pool_, queries::move_schedule, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return ScheduleMoved{rows.int4(0, 0), rows.int4(0, 1)};
}

asio::awaitable<std::vector<ScheduleDetails>> Schedules::list(
    Tenant tenant, ScheduleFilter filter
) {
    pg::Params params;
    params.add(tenant.id).add(filter.after).add(some(filter.workflow)).add(filter.id);
    params.add(std::int64_t{filter.limit});
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::list_schedules, std::move(params));
    co_return pg::all_rows(rows, details_of);
}

asio::awaitable<std::optional<ScheduleDetails>> Schedules::find(Tenant tenant, ScheduleId id) {
    ScheduleFilter filter;
    filter.id = id;
    auto found = co_await list(tenant, filter);
    if (found.empty()) co_return std::nullopt;
    co_return std::move(found.front());
}

asio::awaitable<void> Schedules::pause(Tenant tenant, ScheduleId id, std::string reason) {
    co_await call_as(
        pool_, tenant.id, queries::pause_schedule, params_of(tenant.id, id, some(reason))
    );
}

asio::awaitable<void> Schedules::resume(Tenant tenant, ScheduleId id) {
    co_await call_as(pool_, tenant.id, queries::resume_schedule, params_of(tenant.id, id));
}

asio::awaitable<bool> Schedules::backfill(Tenant tenant, ScheduleId id, Instant from, Instant to) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::backfill_schedule, params_of(tenant.id, id, from, to)
    );
    co_return rows.affected() > 0;
}

asio::awaitable<bool> Schedules::cancel_backfill(Tenant tenant, ScheduleId id) {
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::cancel_backfill, params_of(tenant.id, id));
    co_return rows.affected() > 0;
}

asio::awaitable<void> Schedules::note_run(Tenant tenant, ScheduleId id, RunId run) {
    co_await call_as(
        pool_, tenant.id, queries::note_scheduled_run, params_of(tenant.id, id, run.uuid)
    );
}

}  // namespace pawl::store
