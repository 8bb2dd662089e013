#include "store/schedules.hpp"

#include "api/shapes.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

constexpr std::size_t backfill_max = 10'000;

std::string status_of(const json::object& schedule) {
    return std::string(schedule.at("status").as_string());
}

asio::awaitable<int> list(pg::Pool& pool, store::Tenant tenant, SchedulesOptions options) {
    store::Schedules schedules(pool);
    store::ScheduleFilter filter;
    filter.workflow = options.workflow;
    const auto found = co_await schedules.list(tenant, filter);
    json::array items;
    std::vector<TableRow> rows;
    for (const auto& schedule : found) {
        json::object item = api::to_json(schedule);
        const std::string status = status_of(item);
        const bool fires = status == "active" && schedule.next_at;
        rows.push_back(
            {std::to_string(schedule.id),
             schedule.workflow_name,
             schedule.cron,
             schedule.timezone,
             Cell(status, status == "active" ? Color::green : Color::yellow),
             fires ? human_time(*schedule.next_at) : "-",
             schedule.last_slot ? human_time(*schedule.last_slot) : "-",
             std::to_string(schedule.fired),
             std::to_string(schedule.skipped + schedule.missed),
             Cell(shorten(schedule.problem, 60), Color::red)}
        );
        items.push_back(std::move(item));
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (rows.empty()) {
        say(options.globals, "no schedules; a workflow gets one by triggers: [{cron: ...}]");
        co_return exit_ok;
    }
    print_table(
        options.globals,
        {"ID", "WORKFLOW", "CRON", "ZONE", "STATUS", "NEXT (UTC)", "LAST", "FIRED", "LEFT OUT", ""},
        rows
    );
    co_return exit_ok;
}

asio::awaitable<int> show(
    pg::Pool& pool, store::Tenant tenant, Globals globals, store::ScheduleId id, std::string said
) {
    store::Schedules schedules(pool);
    const auto after = co_await schedules.find(tenant, id);
    if (globals.machine() && after) print_json(globals, api::to_json(*after));
    say(globals, said);
    co_return exit_ok;
}

Error unknown_schedule(store::ScheduleId id) {
    return {
        Errc::not_found,
        fmt::format("there is no schedule {}; pawl schedules list shows them", id),
        {}};
}

asio::awaitable<int> switch_on_off(
    pg::Pool& pool, store::Tenant tenant, SchedulesOptions options, bool pause
) {
    store::Schedules schedules(pool);
    const auto schedule = co_await schedules.find(tenant, options.id);
    if (!schedule) co_return report(options.globals, unknown_schedule(options.id));
    if (pause) {
        co_await schedules.pause(tenant, options.id, options.reason);
    } else {
        co_await schedules.resume(tenant, options.id);
    }
    const std::string said = fmt::format(
        "schedule {} of {} {}",
        options.id,
        schedule->workflow_name,
        pause ? "is paused" : "goes on with its next slot"
    );
    co_return co_await show(pool, tenant, options.globals, options.id, said);
}

struct Range {
    Instant from;
    Instant to;
};

Result<Range> read_range(const SchedulesOptions& options, Instant now) {
    const auto wrong = [](std::string_view option) {
        return Error{
            Errc::invalid,
            fmt::format("{} must be a time like 2026-03-01T09:00:00Z or 2026-03-01", option),
            {}};
    };
    const auto from = parse_time(options.from);
    const auto to = options.to.empty() ? std::optional(now) : parse_time(options.to);
    if (!from) return wrong("--from");
    if (!to) return wrong("--to");
    if (*to > now) return Error{Errc::invalid, "--to must not be in the future", {}};
    if (*from >= *to) return Error{Errc::invalid, "--from must be before --to", {}};
    return Range{*from, *to};
}

// How many slots there are, or why there can be no backfill.
Result<std::size_t> check_backfill(const store::ScheduleDetails& schedule, const Range& range) {
    const auto cron = parse_cron(schedule.cron);
    if (!cron) return cron.error();
    const auto zone = parse_time_zone(schedule.timezone);
    if (!zone) return zone.error();
    if (!schedule.active) {
        return Error{
            Errc::conflict,
            fmt::format("the workflow '{}' is not active", schedule.workflow_name),
            {}};
    }
    const auto slots = count_slots(*cron, *zone, range.from, range.to, backfill_max + 1);
    if (slots > backfill_max) {
        return Error{
            Errc::too_large,
            fmt::format("a backfill may have {} slots; take a shorter time", backfill_max),
            {}};
    }
    return slots;
}

asio::awaitable<int> backfill(pg::Pool& pool, store::Tenant tenant, SchedulesOptions options) {
    store::Schedules schedules(pool);
    const auto schedule = co_await schedules.find(tenant, options.id);
    if (!schedule) co_return report(options.globals, unknown_schedule(options.id));
    const auto range = read_range(options, schedule->now);
    if (!range) co_return report(options.globals, range.error());
    const auto slots = check_backfill(*schedule, *range);
    if (!slots) co_return report(options.globals, slots.error());
    if (!co_await schedules.backfill(tenant, options.id, range->from, range->to)) {
        const std::string why =
            fmt::format("schedule {} is being backfilled; wait for its end", options.id);
        co_return report(options.globals, {Errc::conflict, why, {}});
    }
    const std::string said = fmt::format(
        "{} slots from {} to {}; workers start those that had no run",
        *slots,
        human_time(range->from),
        human_time(range->to)
    );
    co_return co_await show(pool, tenant, options.globals, options.id, said);
}

}  // namespace

int run_schedules(const SchedulesOptions& options) {
    if (auto fine = check_text("--reason", options.reason, 500); !fine) {
        return report(options.globals, fine.error());
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        switch (options.action) {
            case SchedulesOptions::Action::pause: return switch_on_off(pool, tenant, options, true);
            case SchedulesOptions::Action::resume:
                return switch_on_off(pool, tenant, options, false);
            case SchedulesOptions::Action::backfill: return backfill(pool, tenant, options);
            case SchedulesOptions::Action::list: break;
        }
        return list(pool, tenant, options);
    });
}

}  // namespace pawl::cli
