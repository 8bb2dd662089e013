#include "cli/commands/schedule_view.hpp"

#include "cli/commands/run_view.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

std::string or_dash(std::string text) {
    return text.empty() ? "-" : text;
}

Cell status_of(const json::value& schedule) {
    const std::string status = member(schedule, "status");
    return Cell(status, status == "active" ? Color::green : Color::yellow);
}

void add(std::vector<TableRow>& rows, const char* title, std::string text) {
    if (!text.empty()) rows.push_back({title, std::move(text)});
}

std::string backfill_of(const json::value& schedule) {
    const json::value& backfill = value_member(schedule, "backfill");
    if (backfill.is_null()) return "";
    return fmt::format(
        "at {}, to {}", human_time_member(backfill, "next_at"), human_time_member(backfill, "to")
    );
}

}  // namespace

std::vector<std::string> schedule_columns() {
    return {
        "ID",
        "WORKFLOW",
        "CRON",
        "ZONE",
        "STATUS",
        "NEXT (UTC)",
        "LAST (UTC)",
        "FIRED",
        "LEFT OUT",
        ""};
}

TableRow schedule_row(const json::value& schedule) {
    const auto left_out = number_member(schedule, "skipped") + number_member(schedule, "missed");
    const bool fires = member(schedule, "status") == "active";
    return {
        std::to_string(number_member(schedule, "id")),
        member(schedule, "workflow"),
        member(schedule, "cron"),
        member(schedule, "timezone"),
        status_of(schedule),
        fires ? or_dash(human_time_member(schedule, "next_at")) : "-",
        or_dash(human_time_member(schedule, "last_slot")),
        std::to_string(number_member(schedule, "fired")),
        std::to_string(left_out),
        Cell(shorten(member(schedule, "problem"), 60), Color::red)};
}

void print_schedule(const Globals& globals, const json::value& schedule) {
    std::vector<TableRow> rows{
        {"schedule", std::to_string(number_member(schedule, "id"))},
        {"workflow", member(schedule, "workflow")},
        {"cron", fmt::format("{} ({})", member(schedule, "cron"), member(schedule, "timezone"))},
        {"status", status_of(schedule)}};
    const std::string problem = member(schedule, "problem");
    if (!problem.empty()) rows.push_back({"problem", Cell(problem, Color::red)});
    add(rows, "paused", human_time_member(schedule, "paused_at"));
    add(rows, "reason", member(schedule, "pause_reason"));
    const json::value& input = value_member(schedule, "input");
    if (!input.is_null()) rows.push_back({"input", compact(input)});
    rows.push_back(
        {"overlap",
         fmt::format(
             "{}; late slots up to {}", member(schedule, "overlap"), member(schedule, "catch_up")
         )}
    );
    add(rows, "backfill", backfill_of(schedule));
    rows.push_back(
        {"slots",
         fmt::format(
             "{} fired, {} skipped, {} missed",
             number_member(schedule, "fired"),
             number_member(schedule, "skipped"),
             number_member(schedule, "missed")
         )}
    );
    std::string next;
    for (const json::value& slot : value_member(schedule, "upcoming").as_array()) {
        const auto at = parse_rfc3339(std::string_view(slot.as_string()));
        if (at) next += (next.empty() ? "" : ", ") + human_time(*at);
    }
    rows.push_back({"next (UTC)", or_dash(next)});
    print_details(globals, rows);
    const json::array& runs = value_member(schedule, "last_runs").as_array();
    if (runs.empty()) return;
    print_line("");
    std::vector<TableRow> table;
    for (const json::value& run : runs) {
        const std::string status = member(run, "status");
        table.push_back(
            {member(run, "id"),
             Cell(status, status_color(status)),
             human_time_member(run, "created_at"),
             shorten(error_line(value_member(run, "error")), 60)}
        );
    }
    print_table(globals, {"LAST RUNS", "STATUS", "STARTED (UTC)", "ERROR"}, table);
}

}  // namespace pawl::cli
