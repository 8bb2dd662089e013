#include "base/json.hpp"
#include "base/spoken.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "model/events/step_events.hpp"
#include "model/events/wait.hpp"

#include <fmt/format.h>

#include <limits>

namespace pawl::cli {

namespace {

// When a step is tried again, or until when a run waits.
std::string next_time(const std::string& type, const json::value& data) {
    std::optional<Instant> at;
    if (type == "step_failed") at = events::read<events::StepFailed>(data).retry_at;
    if (type == "wait_started") at = events::read_wait(data).until();
    return at ? human_moment(*at, wall_now()) : "";
}

// What an event says, short enough for a line.
std::string gist(const json::value& event) {
    std::string text = error_line(value_member(event, "error"));
    const std::string type = member(event, "type");
    const json::value& data = value_member(event, "data");
    if (type == "step_skipped" && events::read<events::StepSkipped>(data).disabled) {
        return "switched off: passed";
    }
    const std::string time = next_time(type, data);
    if (!time.empty() && type == "step_failed") {
        text += "; again at " + time;
    } else if (!time.empty()) {
        text = "until " + time;
    } else if (!data.is_null()) {
        if (!text.empty()) text += "  ";
        text += compact(data);
    }
    return shorten(text, 80);
}

// "item 3, visit 2, branch 4": what is not said is the first.
std::string where(const json::value& event) {
    std::vector<std::string> parts;
    if (const json::value* items = find(event, "item"); items != nullptr && items->is_array()) {
        std::vector<std::string> numbers;
        for (const json::value& item : items->get_array()) numbers.push_back(compact(item));
        parts.push_back(fmt::format("item {}", fmt::join(numbers, ".")));
    }
    const auto visit = number_member(event, "visit");
    const auto branch = number_member(event, "branch");
    if (visit > 1) parts.push_back(fmt::format("visit {}", visit));
    if (branch != 0) parts.push_back(fmt::format("branch {}", branch));
    return fmt::format("{}", fmt::join(parts, ", "));
}

// To the millisecond: steps are quick.
std::string moment_of(const std::string& at) {
    const auto parsed = parse_rfc3339(at);
    return parsed ? human_moment(*parsed, wall_now()) + at.substr(19, 4) : at;
}

void print_log(const Globals& globals, const json::array& log) {
    std::vector<TableRow> rows;
    for (const json::value& event : log) {
        const bool bad = !value_member(event, "error").is_null();
        const auto attempt = number_member(event, "attempt");
        rows.push_back(
            {std::to_string(number_member(event, "seq")),
             moment_of(member(event, "at")),
             Cell(member(event, "type"), bad ? Color::red : Color::none),
             member(event, "step"),
             where(event),
             attempt == 0 ? "" : std::to_string(attempt),
             gist(event)}
        );
    }
    print_table(globals, {"SEQ", "TIME", "EVENT", "STEP", "WHERE", "TRY", "DATA"}, rows);
}

asio::awaitable<int> show(Door& door, const Globals& globals, std::string id) {
    const auto run = co_await door.call({"GET", {"runs", id}});
    if (!run) co_return report(globals, Error(run.error()).with("next", "pawl runs list"));
    auto log = co_await call_pages(
        door, {"GET", {"runs", id, "events"}}, std::numeric_limits<std::size_t>::max()
    );
    if (!log) co_return report(globals, log.error());
    if (globals.machine()) {
        json::object document = run->as_object();
        document["events"] = std::move(log->items);
        print_json(globals, document);
        co_return exit_ok;
    }
    print_details(globals, details_of(*run));
    print_line("");
    print_log(globals, log->items);
    co_return exit_ok;
}

const RegisterCommand<run_on_run<show>, add_run_ref> runs_show_command(
    {"runs show", 20, "One run and its log"}, {{"pawl runs show ID -o json"}}
);

}  // namespace

}  // namespace pawl::cli
