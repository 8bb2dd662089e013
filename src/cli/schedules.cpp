#include "store/schedules.hpp"

#include "api/shapes.hpp"
#include "base/spoken.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/names.hpp"
#include "cli/run_view.hpp"
#include "cli/start.hpp"
#include "cli/text.hpp"

#include <fmt/format.h>

#include <charconv>

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
    if (found.empty()) {
        const auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
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

// By its id, or by a workflow that has no other one.
asio::awaitable<Result<store::ScheduleDetails>> find_schedule(
    pg::Pool& pool, store::Tenant tenant, std::string which
) {
    store::Schedules schedules(pool);
    const std::string next = "pawl schedules list";
    store::ScheduleId id = 0;
    const char* end = which.data() + which.size();
    const auto [read, failed] = std::from_chars(which.data(), end, id);
    if (failed == std::errc() && read == end) {
        auto found = co_await schedules.find(tenant, id);
        if (found) co_return std::move(*found);
        const std::string why = fmt::format("there is no schedule {}", id);
        co_return Error{Errc::not_found, why, {{"next", next}}};
    }
    store::ScheduleFilter filter;
    filter.workflow = which;
    auto found = co_await schedules.list(tenant, filter);
    if (found.size() == 1) co_return std::move(found.front());
    if (found.empty()) {
        if (auto unknown = co_await misspelt_workflow(pool, tenant.id, which)) co_return *unknown;
        const std::string why = fmt::format("workflow '{}' has no schedule", which);
        co_return Error{
            Errc::not_found, why, {{"next", "a workflow gets one by triggers: [{cron: ...}]"}}};
    }
    std::vector<store::ScheduleId> ids;
    for (const auto& one : found) ids.push_back(one.id);
    const std::string why = fmt::format(
        "workflow '{}' has {} schedules; say which: {}", which, ids.size(), fmt::join(ids, ", ")
    );
    co_return Error{Errc::invalid, why, {{"next", next}}};
}

asio::awaitable<int> switch_on_off(
    pg::Pool& pool, store::Tenant tenant, SchedulesOptions options, bool pause
) {
    store::Schedules schedules(pool);
    const auto schedule = co_await find_schedule(pool, tenant, options.which);
    if (!schedule) co_return report(options.globals, schedule.error());
    if (pause) {
        co_await schedules.pause(tenant, schedule->id, options.reason);
    } else {
        co_await schedules.resume(tenant, schedule->id);
    }
    const std::string said = fmt::format(
        "schedule {} of {} {}",
        schedule->id,
        schedule->workflow_name,
        pause ? "is paused" : "goes on with its next slot"
    );
    co_return co_await show(pool, tenant, options.globals, schedule->id, said);
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
    const auto schedule = co_await find_schedule(pool, tenant, options.which);
    if (!schedule) co_return report(options.globals, schedule.error());
    const auto range = read_range(options, schedule->now);
    if (!range) co_return report(options.globals, range.error());
    const auto slots = check_backfill(*schedule, *range);
    if (!slots) co_return report(options.globals, slots.error());
    if (!co_await schedules.backfill(tenant, schedule->id, range->from, range->to)) {
        const std::string why =
            fmt::format("schedule {} is being backfilled; wait for its end", schedule->id);
        co_return report(options.globals, {Errc::conflict, why, {}});
    }
    const std::string said = fmt::format(
        "{} from {} to {}; workers start those that had no run",
        counted(static_cast<std::uint64_t>(*slots), "slot"),
        human_time(range->from),
        human_time(range->to)
    );
    co_return co_await show(pool, tenant, options.globals, schedule->id, said);
}

// Beside its slots, and counted with them when the next one asks whether a run is open.
asio::awaitable<int> trigger(pg::Pool& pool, store::Tenant tenant, SchedulesOptions options) {
    const auto schedule = co_await find_schedule(pool, tenant, options.which);
    if (!schedule) co_return report(options.globals, schedule.error());
    const auto zone = parse_time_zone(schedule->timezone);
    if (!zone) co_return report(options.globals, zone.error());
    auto input = options.data.empty()
                     ? slot_input(schedule->input, {schedule->id, schedule->now, *zone})
                     : read_json(options.data);
    if (!input) co_return report(options.globals, input.error());
    if (!input->is_object()) {
        co_return report(
            options.globals, {Errc::invalid, "--data: the input must be a JSON object", {}}
        );
    }
    StartAsk ask;
    ask.workflow = schedule->workflow_name;
    ask.input = std::move(*input);
    ask.triggered_by = "schedule";
    const auto answer = co_await start_run(pool, tenant, std::move(ask));
    if (!answer) co_return report(options.globals, answer.error());
    store::Schedules schedules(pool);
    co_await schedules.note_run(tenant, schedule->id, answer->started.run);
    const std::string id = to_string(answer->started.run);
    if (options.globals.machine()) {
        print_json(
            options.globals,
            json::object{
                {"id", id}, {"workflow", schedule->workflow_name}, {"version", answer->number}}
        );
        co_return exit_ok;
    }
    print_line(id);
    say(options.globals,
        fmt::format("started {}; see how it goes: pawl runs show {}", answer->version, id));
    co_return exit_ok;
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
            case SchedulesOptions::Action::trigger: return trigger(pool, tenant, options);
            case SchedulesOptions::Action::backfill: return backfill(pool, tenant, options);
            case SchedulesOptions::Action::list: break;
        }
        return list(pool, tenant, options);
    });
}

}  // namespace pawl::cli
