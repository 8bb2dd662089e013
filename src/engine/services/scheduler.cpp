#include "engine/services/scheduler.hpp"

#include "base/log.hpp"
#include "engine/async/problem_of.hpp"
#include "engine/start/start_request.hpp"
#include "engine/worker/canary.hpp"
#include "model/duration.hpp"
#include "model/events/whole_run_events.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace pawl::engine {

namespace {

bool is_due(const std::optional<Instant>& at, Instant now) {
    return at && *at <= now;
}

// What cannot be started is left out, and the reason is shown.
void give_up(store::ScheduleMove& move, std::string why) {
    move.missed += static_cast<std::int64_t>(move.slots.size());
    move.slots.clear();
    move.runs.clear();
    move.problem = std::move(why);
}

}  // namespace

store::ScheduleMove plan_slots(
    const store::Schedule& schedule, const Cron& cron, const TimeZone& zone, std::size_t slots_max
) {
    store::ScheduleMove move;
    move.bucket = schedule.tenant.bucket;
    move.id = schedule.id;
    move.seen = schedule.next_at;
    const auto due_at = [&schedule](Instant slot) {
        return slot + slot_delay(schedule.id, slot, schedule.jitter);
    };
    const auto first = schedule.next_at ? schedule.next_at : next_slot(cron, zone, schedule.since);
    move.next = first;
    if (first && due_at(*first) <= schedule.now) {
        const std::size_t limit = schedule.overlap == Overlap::queue ? 1 : slots_max;
        const Duration catch_up = schedule.catch_up + schedule.jitter;
        auto due = due_slots(cron, zone, *first, schedule.now, catch_up, limit);
        while (!due.slots.empty() && due_at(due.slots.back()) > schedule.now) {
            due.next = due.slots.back();
            due.slots.pop_back();
        }
        move.slots = std::move(due.slots);
        move.missed = due.missed;
        move.next = due.next;
    }
    if (move.next) move.due = due_at(*move.next);
    if (!move.next) move.problem = "the schedule has no slot within the next five years";
    return move;
}

store::ScheduleMove plan_backfill(
    const store::Schedule& schedule, const Cron& cron, const TimeZone& zone, std::size_t slots_max
) {
    store::ScheduleMove move;
    move.bucket = schedule.tenant.bucket;
    move.id = schedule.id;
    move.backfill = true;
    move.seen = schedule.backfill_at;
    // Those of a backfill wait for each other, unless they may overlap: to leave them out would
    // make it pointless.
    const std::size_t limit = schedule.overlap == Overlap::allow ? slots_max : 1;
    auto slot = next_slot(cron, zone, *schedule.backfill_at - Duration(1));
    while (slot && *slot < *schedule.backfill_to && move.slots.size() < limit) {
        move.slots.push_back(*slot);
        slot = next_slot(cron, zone, *slot);
    }
    if (slot && *slot < *schedule.backfill_to) move.next = slot;
    return move;
}

Scheduler::Scheduler(
    asio::any_io_executor executor,
    store::Store& store,
    store::Schedules& schedules,
    StartLimits& limits,
    Metrics& metrics,
    SchedulerOptions options
)
    : executor_(std::move(executor)),
      schedules_(schedules),
      limits_(limits),
      metrics_(metrics),
      options_(options),
      programs_(store) {}

Result<Scheduler::Clockwork> Scheduler::clockwork(const store::Schedule& schedule) {
    if (!schedule.unreadable.empty()) return Error{Errc::invalid, schedule.unreadable, {}};
    auto cron = parse_cron(schedule.cron);
    if (!cron) return cron.error();
    auto zone = parse_time_zone(schedule.timezone);
    if (!zone) return zone.error();
    return Clockwork{*cron, *zone};
}

asio::awaitable<void> Scheduler::run() {
    for (;;) {
        auto next = Steady::now() + options_.poll;
        try {
            next = co_await look();
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        // However much is due, others want the database too.
        const auto soonest = Steady::now() + std::chrono::milliseconds(20);
        Gate pause(executor_);
        co_await pause.wait(std::max(next, soonest));
    }
}

asio::awaitable<Steady::time_point> Scheduler::look() {
    const auto schedules =
        co_await schedules_.due(options_.bucket, options_.poll, options_.schedules_max);
    const auto read = Steady::now();
    auto next = read + options_.poll;
    std::set<store::TenantId> waiting;  // in vain, for what they hold themselves
    for (const store::Schedule& schedule : schedules) {
        if (is_due(schedule.due_at, schedule.now) || is_due(schedule.backfill_due, schedule.now)) {
            const std::string what =
                fmt::format("schedule {} of tenant {}", schedule.id, schedule.tenant.id);
            std::string problem(waits_for_tenant);
            if (!waiting.contains(schedule.tenant.id)) {
                problem = co_await problem_of([&] { return look_at(schedule); }, what);
            }
            if (problem == waits_for_tenant) waiting.insert(schedule.tenant.id);
            if (!problem.empty()) {
                co_await problem_of([&] { return set_aside(schedule, problem); }, what);
            }
            next = read;  // it may be due again at once
            continue;
        }
        for (const auto& at : {schedule.due_at, schedule.backfill_due}) {
            if (at) next = std::min(next, read + (*at - schedule.now));
        }
    }
    co_return next;
}

// A schedule that the database refuses, say, is looked at again after a while: those behind it, of
// other tenants too, are due as well.
asio::awaitable<void> Scheduler::set_aside(store::Schedule schedule, std::string problem) {
    store::ScheduleMove move;
    move.bucket = schedule.tenant.bucket;
    move.id = schedule.id;
    move.backfill = !is_due(schedule.due_at, schedule.now);
    move.seen = move.backfill ? schedule.backfill_at : schedule.next_at;
    move.next = move.seen;
    move.due = saturating_add(
        schedule.now,
        problem == waits_for_tenant ? options_.deferred_held_for : options_.deferred_for
    );
    move.problem = std::move(problem);
    co_await carry_out(schedule, std::move(move));
}

asio::awaitable<void> Scheduler::look_at(store::Schedule schedule) {
    const auto clock = clockwork(schedule);
    if (!clock) {
        // The scheduler skips it until its definition changes.
        store::ScheduleMove move;
        move.bucket = schedule.tenant.bucket;
        move.id = schedule.id;
        move.backfill = !is_due(schedule.due_at, schedule.now);
        move.seen = move.backfill ? schedule.backfill_at : schedule.next_at;
        move.problem = clock.error().message;
        co_await carry_out(schedule, std::move(move));
        co_return;
    }
    if (is_due(schedule.due_at, schedule.now)) {
        auto move = plan_slots(schedule, clock->cron, clock->zone, options_.slots_max);
        co_await add_runs(move, schedule, clock->zone);
        co_await keep_limits(move, schedule);
        co_await carry_out(schedule, std::move(move));
    }
    if (is_due(schedule.backfill_due, schedule.now) && schedule.backfill_at) {
        auto move = plan_backfill(schedule, clock->cron, clock->zone, options_.slots_max);
        co_await add_runs(move, schedule, clock->zone);
        co_await keep_limits(move, schedule);
        co_await carry_out(schedule, std::move(move));
    }
}

asio::awaitable<void> Scheduler::add_runs(
    store::ScheduleMove& move, const store::Schedule& schedule, TimeZone zone
) {
    // Jobs read the audience and start its runs.
    if (move.slots.empty() || !schedule.audience.empty()) co_return;
    const auto known = co_await programs_.find(schedule.workflow, schedule.version);
    if (!known) {
        // Perhaps written by a newer version, whose scheduler can read it.
        move.next = move.slots.front();
        move.due = saturating_add(schedule.now, std::chrono::minutes(1));
        move.slots.clear();
        move.problem = "the workflow's definition cannot be read by this version of pawl";
        co_return;
    }
    const auto ms = static_cast<std::uint64_t>(schedule.now.time_since_epoch().count() / 1000);
    const std::size_t runs = schedule.overlap == Overlap::allow ? move.slots.size() : 1;
    for (std::size_t i = 0; i < runs; ++i) {
        auto input = slot_input(schedule.input, {schedule.id, move.slots[i], zone});
        if (!input) co_return give_up(move, "the input: " + input.error().message);
        const auto complete = validate_input(known->definition, *input);
        if (!complete) co_return give_up(move, "the input: " + complete.error().message);
        StartRequest request;
        request.program = known;
        request.input = std::move(*input);
        request.correlation = slot_key(schedule.id, move.slots[i]);
        request.triggered_by = "schedule";
        if (!schedule.canary.empty()) {
            const store::StartVersion head{schedule.workflow, schedule.version, schedule.canary};
            const auto chosen = version_for(head, request, "");
            const auto problem =
                take_version(request, co_await programs_.find(head.workflow, chosen));
            if (!problem.empty()) co_return give_up(move, "the input: " + problem);
        }
        move.runs.push_back(to_new_run(RunId{ids_.next(ms)}, std::move(request)));
    }
}

// A slot that waits is looked at again and again until its catch_up is over; then it was missed.
asio::awaitable<void> Scheduler::keep_limits(
    store::ScheduleMove& move, const store::Schedule& schedule
) {
    if (move.runs.empty()) co_return;
    std::size_t bytes = 0;
    if (limits_.asks_for_bytes(schedule.tenant.id)) {
        for (const store::NewRun& run : move.runs) {
            const auto started = events::read<events::RunStarted>(run.data);
            if (started.input) bytes = std::max(bytes, json::serialize(*started.input).size());
        }
    }
    const auto refusal = co_await limits_.admit(schedule.tenant, move.runs.size(), bytes, true);
    if (!refusal) co_return;
    if (!refusal->passes()) co_return give_up(move, refusal->sentence);
    move.next = move.slots.front();
    move.due = saturating_add(schedule.now, std::chrono::seconds(1));
    move.slots.clear();
    move.runs.clear();
    move.problem = "a slot waits: " + refusal->sentence;
}

asio::awaitable<bool> Scheduler::carry_out(store::Schedule schedule, store::ScheduleMove move) {
    const auto missed = move.missed;
    const std::string problem = move.problem;
    const auto slots = move.slots;
    const bool backfill = move.backfill;
    const auto moved = co_await schedules_.move(std::move(move));
    if (!moved) co_return false;
    const bool known = problems_[schedule.id] == problem;
    problems_[schedule.id] = problem;
    if (missed > 0 || (!problem.empty() && !known)) {
        log::warn(
            problem.empty() ? "slots of a schedule were missed" : "a schedule cannot fire",
            {log::field("tenant", schedule.tenant.id),
             log::field("schedule", schedule.id),
             log::field("workflow", schedule.workflow),
             log::field("missed", missed),
             log::field("problem", problem)}
        );
    }
    metrics_.slots(moved->started, moved->skipped, missed);
    if (moved->started == 0 || !schedule.audience.empty()) co_return true;
    const ProgramPtr started = co_await programs_.find(schedule.workflow, schedule.version);
    if (started) {
        const auto count = static_cast<std::size_t>(moved->started);
        metrics_.of(started->definition.name).runs_started(count);
    }
    const Instant due = slots[0] + slot_delay(schedule.id, slots[0], schedule.jitter);
    if (!backfill) metrics_.slot_late(schedule.now - due);
    on_ready();
    co_return true;
}

}  // namespace pawl::engine
