#include "app/schedules/schedule_uses.hpp"

#include "app/refusal.hpp"
#include "app/schedules/slots.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

constexpr std::size_t backfill_max = 10'000;

Error inactive(const store::ScheduleDetails& schedule) {
    return refusal(
               Errc::conflict,
               "workflow_inactive",
               fmt::format(
                   "the workflow '{0}' is not active; POST /v1/workflows/{0}/activate makes it so",
                   schedule.workflow_name
               )
    )
        .with("workflow", schedule.workflow_name);
}

Error failing(const std::string& why) {
    return refusal(Errc::conflict, "schedule_failing", why).with("why", why);
}

}  // namespace

Error no_schedule(std::string_view id) {
    const std::string shown(id.substr(0, 40));
    return not_found(fmt::format("there is no schedule {}; GET /v1/schedules lists them", shown))
        .with("schedule", shown);
}

asio::awaitable<SchedulePage> list_schedules(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleFilter filter
) {
    const auto limit = static_cast<std::size_t>(filter.limit);
    ++filter.limit;
    SchedulePage page{co_await uses.schedules.list(tenant, std::move(filter)), false};
    page.more = page.schedules.size() > limit;
    if (page.more) page.schedules.resize(limit);
    for (auto& schedule : page.schedules) schedule = with_next(std::move(schedule));
    co_return page;
}

asio::awaitable<Result<store::ScheduleDetails>> find_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
) {
    auto schedule = co_await uses.schedules.find(tenant, id);
    if (!schedule) co_return no_schedule(std::to_string(id));
    co_return with_next(std::move(*schedule));
}

asio::awaitable<std::vector<store::RunSummary>> last_runs(
    ScheduleUses& uses, store::ScheduleDetails schedule
) {
    std::vector<store::RunSummary> runs;
    for (const Instant slot : past_slots(schedule)) {
        store::RunFilter filter;
        filter.workflow = schedule.workflow_name;
        filter.correlation_id = slot_key(schedule.id, slot);
        filter.limit = 1;
        auto page = co_await uses.store.list_runs(schedule.tenant, std::move(filter));
        if (!page.runs.empty()) runs.push_back(std::move(page.runs.front()));
    }
    co_return runs;
}

asio::awaitable<Result<store::ScheduleDetails>> pause_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id, std::string reason
) {
    co_await uses.schedules.pause(tenant, id, std::move(reason));
    co_return co_await find_schedule(uses, tenant, id);
}

asio::awaitable<Result<store::ScheduleDetails>> resume_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
) {
    co_await uses.schedules.resume(tenant, id);
    co_return co_await find_schedule(uses, tenant, id);
}

asio::awaitable<Result<store::ScheduleDetails>> cancel_backfill(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
) {
    co_await uses.schedules.cancel_backfill(tenant, id);
    co_return co_await find_schedule(uses, tenant, id);
}

asio::awaitable<Result<Backfill>> backfill_schedule(
    ScheduleUses& uses, store::ScheduleDetails schedule, Instant from, Instant to
) {
    if (!schedule.active) co_return inactive(schedule);
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    if (!cron || !zone) co_return failing(schedule.problem);
    const std::size_t slots = count_slots(*cron, *zone, from, to, backfill_max + 1);
    if (slots > backfill_max) {
        co_return wrong_at(
            fmt::format("a backfill may have {} slots; take a shorter time", backfill_max),
            "/from",
            "is too long ago"
        );
    }
    const bool begun = co_await uses.schedules.backfill(schedule.tenant, schedule.id, from, to);
    if (!begun) {
        co_return refusal(
            Errc::conflict,
            "backfill_under_way",
            fmt::format(
                "schedule {} is being backfilled; wait for its end, or cancel it", schedule.id
            )
        )
            .with("schedule", std::to_string(schedule.id));
    }
    auto after = co_await find_schedule(uses, schedule.tenant, schedule.id);
    if (!after) co_return after.error();
    co_return Backfill{slots, std::move(*after)};
}

asio::awaitable<Result<StartedRun>> trigger_schedule(
    ScheduleUses& uses, Caller caller, store::ScheduleId id, std::optional<json::value> input
) {
    const auto schedule = co_await find_schedule(uses, caller.tenant, id);
    if (!schedule) co_return schedule.error();
    if (!schedule->active) co_return inactive(*schedule);
    PAWL_ASSERT(schedule->audience.empty());
    const auto zone = parse_time_zone(schedule->timezone);
    if (!zone) co_return failing(zone.error().message);
    if (!input) {
        auto given = slot_input(schedule->input, {schedule->id, schedule->now, *zone});
        if (!given) co_return failing("the input: " + given.error().message);
        input = std::move(*given);
    }
    auto program = co_await uses.programs.active(caller.tenant.id, schedule->workflow_name);
    if (!program) co_return program.error();
    if (auto missing = check_input(**program, *input)) co_return std::move(*missing);
    engine::StartRequest request;
    request.program = *program;
    request.input = std::move(*input);
    request.correlation = correlation_for(caller, "");
    request.triggered_by = "schedule";
    const auto fits = co_await uses.admission.admit(caller.tenant, {&request.input});
    if (!fits) co_return fits.error();
    const auto started = co_await uses.starter.start(std::move(request));
    if (started.kept_out) co_return kept_out(**program, "");
    co_await uses.schedules.note_run(schedule->tenant, id, started.run);
    co_return StartedRun{std::move(*program), started};
}

asio::awaitable<Result<store::Job>> trigger_audience(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
) {
    const auto schedule = co_await find_schedule(uses, tenant, id);
    if (!schedule) co_return schedule.error();
    if (!schedule->active) co_return inactive(*schedule);
    auto job = co_await uses.jobs.open_audience(tenant.id, id);
    if (!job) co_return refusal(Errc::conflict, "busy", "it was read a moment ago; try again");
    uses.audience_runner.look();
    co_return std::move(*job);
}

asio::awaitable<Result<AudiencePreview>> preview_schedule(
    ScheduleUses& uses, store::Tenant tenant, store::ScheduleId id
) {
    const auto schedule = co_await find_schedule(uses, tenant, id);
    if (!schedule) co_return schedule.error();
    if (schedule->audience.empty()) {
        co_return refusal(
            Errc::conflict,
            "no_audience",
            fmt::format("schedule {} has no audience: a slot starts one run", id)
        )
            .with("schedule", std::to_string(id));
    }
    co_return co_await uses.audiences.preview(tenant.id, schedule->audience);
}

}  // namespace pawl::app
