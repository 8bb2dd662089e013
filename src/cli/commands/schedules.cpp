#include "base/spoken.hpp"
#include "cli/commands/job_watch.hpp"
#include "cli/commands/list_view.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/schedule_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"
#include "model/civil_time.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pawl::cli {

namespace {

struct SchedulesOptions {
    enum class Action { list, show, pause, resume, trigger, backfill, preview };
    Globals globals;
    Action action = Action::list;
    std::string workflow;  // of a list
    std::string which;     // its id, or the workflow that has it
    std::string reason;
    std::string data;  // of a trigger: JSON, @file, or - for stdin; empty: what the schedule has
    std::string from;
    std::string to;       // empty: now
    bool cancel = false;  // the backfill that is under way
    bool wait = false;    // until workers came to all slots of a backfill
};

using Action = SchedulesOptions::Action;

constexpr auto look_every = std::chrono::milliseconds(200);

constexpr std::size_t all_schedules = std::numeric_limits<std::size_t>::max();

Ask ask_for(const std::string& workflow) {
    return {"GET", {"schedules"}, {{"workflow", workflow}}};
}

asio::awaitable<int> list(Door& door, const SchedulesOptions& options) {
    return print_list(
        door,
        options.globals,
        ask_for(options.workflow),
        all_schedules,
        {schedule_columns(),
         schedule_row,
         "no schedules; a workflow gets one by triggers: [{cron: ...}]",
         "",
         options.workflow}
    );
}

// The id of the one schedule that is meant: by itself, or by a workflow that has no other one.
asio::awaitable<Result<std::string>> find_schedule(Door& door, std::string which) {
    const std::string next = "pawl schedules list";
    if (!which.empty() && which.find_first_not_of("0123456789") == std::string::npos) {
        co_return which;
    }
    const auto page = co_await call_pages(door, ask_for(which), all_schedules);
    if (!page) co_return page.error();
    if (page->items.empty()) {
        if (auto unknown = co_await misspelt_workflow(door, which)) co_return *unknown;
        const std::string why = fmt::format("workflow '{}' has no schedule", which);
        co_return Error{
            Errc::not_found, why, {{"next", "a workflow gets one by triggers: [{cron: ...}]"}}};
    }
    std::vector<std::string> ids;
    for (const json::value& one : page->items) {
        ids.push_back(std::to_string(number_member(one, "id")));
    }
    if (ids.size() == 1) co_return ids.front();
    const std::string why = fmt::format(
        "workflow '{}' has {} schedules; say which: {}", which, ids.size(), fmt::join(ids, ", ")
    );
    co_return Error{Errc::invalid, why, {{"next", next}}};
}

Error explained(Error error, const std::string& id) {
    if (error.code != Errc::not_found) return error;
    return {
        error.code, fmt::format("there is no schedule {}", id), {{"next", "pawl schedules list"}}};
}

// Said of the schedule as it is now.
int tell(const Globals& globals, const json::value& schedule, const std::string& said) {
    if (globals.machine()) print_json(globals, schedule);
    say(globals, said);
    return exit_ok;
}

asio::awaitable<int> switch_on_off(Door& door, const SchedulesOptions& options, std::string id) {
    const bool pause = options.action == Action::pause;
    json::object body;
    if (pause && !options.reason.empty()) body["reason"] = options.reason;
    const auto schedule =
        co_await door.call({"POST", {"schedules", id, pause ? "pause" : "resume"}, {}, body});
    if (!schedule) co_return report(options.globals, explained(schedule.error(), id));
    const char* what = pause ? "is paused" : "goes on with its next slot";
    co_return tell(
        options.globals,
        *schedule,
        fmt::format("schedule {} of {} {}", id, member(*schedule, "workflow"), what)
    );
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

// Until no slot of it is left; the schedule as it is then.
asio::awaitable<Result<json::value>> watch_backfill(
    Door& door, const Globals& globals, std::string id, Range range, std::int64_t slots
) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    Progress progress(globals, "backfill");
    const auto whole = static_cast<double>((range.to - range.from).count());
    for (;;) {
        auto schedule = co_await door.call({"GET", {"schedules", id}});
        if (!schedule) co_return schedule.error();
        const auto next = time_member(value_member(*schedule, "backfill"), "next_at");
        if (!next) co_return schedule;
        // Slots are about evenly spread.
        const auto past = static_cast<double>((*next - range.from).count());
        const double share = std::clamp(past / whole, 0.0, 1.0);
        progress.show(static_cast<std::int64_t>(static_cast<double>(slots) * share), slots);
        timer.expires_after(look_every);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<int> cancel_backfill(Door& door, const SchedulesOptions& options, std::string id) {
    const auto schedule = co_await door.call({"POST", {"schedules", id, "backfill", "cancel"}});
    if (!schedule) co_return report(options.globals, explained(schedule.error(), id));
    co_return tell(options.globals, *schedule, "starts no more runs of slots that have passed");
}

asio::awaitable<int> backfill(Door& door, const SchedulesOptions& options, std::string id) {
    if (options.cancel) co_return co_await cancel_backfill(door, options, std::move(id));
    const auto range = read_range(options, wall_now());
    if (!range) co_return report(options.globals, range.error());
    json::object body{{"from", to_rfc3339(range->from)}};
    // What is now, the server knows.
    if (!options.to.empty()) body["to"] = to_rfc3339(range->to);
    const auto answer = co_await door.call({"POST", {"schedules", id, "backfill"}, {}, body});
    if (!answer) co_return report(options.globals, explained(answer.error(), id));
    json::value schedule = value_member(*answer, "schedule");
    if (options.wait) {
        const auto slots = number_member(*answer, "slots");
        auto after = co_await watch_backfill(door, options.globals, id, *range, slots);
        if (!after) co_return report(options.globals, after.error());
        schedule = std::move(*after);
    }
    co_return tell(
        options.globals,
        schedule,
        fmt::format(
            "{} from {} to {}; workers start those that had no run",
            counted(static_cast<std::uint64_t>(number_member(*answer, "slots")), "slot"),
            human_time(range->from),
            human_time(range->to)
        )
    );
}

// Beside its slots, and counted with them when the next one asks whether a run is open.
asio::awaitable<int> trigger(
    Door& door, const SchedulesOptions& options, std::string id, json::value input
) {
    json::object body;
    if (!input.is_null()) body["input"] = std::move(input);
    const auto started = co_await door.call({"POST", {"schedules", id, "trigger"}, {}, body});
    if (!started) co_return report(options.globals, explained(started.error(), id));
    // Of an audience: a job goes on with it.
    if (!member(*started, "kind").empty()) co_return print_job(options.globals, *started);
    const std::string run = member(*started, "id");
    const std::string workflow = member(*started, "workflow");
    const auto version = number_member(*started, "version");
    if (options.globals.machine()) {
        print_json(
            options.globals, json::object{{"id", run}, {"workflow", workflow}, {"version", version}}
        );
        co_return exit_ok;
    }
    print_line(run);
    say(options.globals,
        fmt::format("started {} v{}; see how it goes: pawl runs show {}", workflow, version, run));
    co_return exit_ok;
}

asio::awaitable<int> show(Door& door, const SchedulesOptions& options, std::string id) {
    const auto schedule = co_await door.call({"GET", {"schedules", id}});
    if (!schedule) co_return report(options.globals, explained(schedule.error(), id));
    if (options.globals.machine()) {
        print_json(options.globals, *schedule);
    } else {
        print_schedule(options.globals, *schedule);
    }
    co_return exit_ok;
}

// Whom the audience gives now, and what their runs would get.
asio::awaitable<int> preview(Door& door, const SchedulesOptions& options, std::string id) {
    const auto found = co_await door.call({"POST", {"schedules", id, "preview"}});
    if (!found) co_return report(options.globals, explained(found.error(), id));
    if (options.globals.machine()) {
        print_json(options.globals, *found);
        co_return exit_ok;
    }
    const auto count = number_member(*found, "count");
    print_line(counted(static_cast<std::uint64_t>(count), "subject"));
    for (const json::value& one : value_member(*found, "examples").as_array()) {
        print_line("  " + printable(json::serialize(one)));
    }
    co_return exit_ok;
}

asio::awaitable<int> act(Door& door, const SchedulesOptions& options, json::value input) {
    if (options.action == Action::list) co_return co_await list(door, options);
    const auto id = co_await find_schedule(door, options.which);
    if (!id) co_return report(options.globals, id.error());
    switch (options.action) {
        case Action::backfill: co_return co_await backfill(door, options, *id);
        case Action::show: co_return co_await show(door, options, *id);
        case Action::preview: co_return co_await preview(door, options, *id);
        case Action::trigger: co_return co_await trigger(door, options, *id, std::move(input));
        default: co_return co_await switch_on_off(door, options, *id);
    }
}

int run_schedules(const SchedulesOptions& options) {
    if (auto fine = check_text("--reason", options.reason, 500); !fine) {
        return report(options.globals, fine.error());
    }
    const auto input = read_input(options.data);
    if (!input) return report(options.globals, input.error());
    return with_door(options.globals, [&](Door& door) { return act(door, options, *input); });
}

template <Action action>
void add_schedule(App& app, SchedulesOptions& options) {
    options.action = action;
    const char* what = "Its id, or the name of a workflow that has only this one";
    add_argument(app, "SCHEDULE", options.which, what);
}

void add_schedules_list(App& app, SchedulesOptions& options) {
    add_workflow_filter(app, options.workflow);
}

void add_schedules_pause(App& app, SchedulesOptions& options) {
    app.add_option("--reason", options.reason, "Shown to others")->type_name("TEXT");
    add_schedule<Action::pause>(app, options);
}

void add_schedules_trigger(App& app, SchedulesOptions& options) {
    const char* what = "Another input than that of the schedule: JSON, @file, or - for stdin";
    add_json(app, "--data", options.data, what);
    add_schedule<Action::trigger>(app, options);
}

void add_schedules_backfill(App& app, SchedulesOptions& options) {
    auto* from = app.add_option("--from", options.from, "The first moment")->type_name("TIME");
    auto* to = app.add_option("--to", options.to, "Up to before this [now]")->type_name("TIME");
    app.add_flag("--cancel", options.cancel, "Start no more of the one under way")
        ->excludes(from)
        ->excludes(to);
    app.add_flag("--wait", options.wait, "Wait until workers have started all of them");
    add_schedule<Action::backfill>(app, options);
}

void check_schedules_backfill(const SchedulesOptions& options) {
    if (!options.from.empty() || options.cancel) return;
    throw WrongUse("say --from when it begins, or --cancel to end the one under way");
}

const RegisterGroup schedules_group(
    "schedules", 100, "Cron triggers: look at them, pause, fire, backfill"
);

const RegisterCommand<run_schedules, add_schedules_list> schedules_list_command(
    {"schedules list", 10, "All schedules and their next slots"},
    {{"pawl schedules list --workflow report"}}
);

const RegisterCommand<run_schedules, add_schedule<Action::show>> schedules_show_command(
    {"schedules show", 20, "One schedule: its next times, its last runs, what is wrong"},
    {{"pawl schedules show report"}}
);

const RegisterCommand<run_schedules, add_schedules_pause> schedules_pause_command(
    {"schedules pause", 30, "Pause a schedule: it starts no more runs"},
    {{"pawl schedules pause 3 --reason 'the provider is down'"}}
);

const RegisterCommand<run_schedules, add_schedule<Action::resume>> schedules_resume_command(
    {"schedules resume", 40, "Resume a schedule, from its next slot on"},
    {{"pawl schedules resume 3"}}
);

const RegisterCommand<run_schedules, add_schedules_trigger> schedules_trigger_command(
    {"schedules trigger", 50, "Start a run now, in addition to its slots"},
    {{"pawl schedules trigger report", "the workflow, if it has one schedule"},
     {"pawl schedules trigger 3 --data '{\"day\": \"2026-03-01\"}'"}}
);

const RegisterCommand<run_schedules, add_schedule<Action::preview>> schedules_preview_command(
    {"schedules preview", 55, "Whom an audience returns now: how many, and ten examples"},
    {{"pawl schedules preview birthday", "starts nothing"}}
);

const RegisterCommand<run_schedules, add_schedules_backfill, check_schedules_backfill>
    schedules_backfill_command(
        {"schedules backfill", 60, "Start the runs of slots that have passed"},
        {{"pawl schedules backfill 3 --from 2026-03-01 --to 2026-03-08"},
         {"pawl schedules backfill 3 --from 2026-03-01T12:00:00Z"},
         {"pawl schedules backfill report --from 2026-03-01 --wait"}}
    );

}  // namespace

}  // namespace pawl::cli
