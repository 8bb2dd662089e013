#include "cli/run_view.hpp"

#include "base/json.hpp"
#include "cli/pretty_json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace pawl::cli {

std::string human_time(Instant at) {
    const std::string text = to_rfc3339(at);
    return text.substr(0, 10) + " " + text.substr(11, 8);
}

std::string error_line(const json::value& error) {
    if (error.is_null()) return "";
    const auto* message = find(error, "message");
    const auto* code = find(error, "code");
    if (message == nullptr || !message->is_string()) return compact(error);
    std::string text(message->get_string());
    if (code == nullptr || !code->is_string()) return text;
    return std::string(code->get_string()) + ": " + text;
}

// What could not be undone is part of how it ended.
static std::string status_line(const store::RunSummary& run) {
    const json::value* list = find(run.error, "not_undone");
    if (list == nullptr || !list->is_array()) return run.status;
    std::vector<std::string_view> steps;
    for (const json::value& one : list->get_array()) steps.push_back(text_in(one, "step"));
    return fmt::format("{}, not undone: {}", run.status, fmt::join(steps, ", "));
}

std::vector<TableRow> details_of(const store::RunSummary& run) {
    std::vector<TableRow> rows{
        {"run", to_string(run.id)},
        {"workflow", fmt::format("{} v{}", run.workflow, run.version)},
        {"status", Cell(status_line(run), status_color(run.status))}};
    if (!run.subject.empty()) rows.push_back({"subject", run.subject});
    rows.push_back({"started", human_time(run.started_at)});
    if (run.closed_at) {
        rows.push_back(
            {"ended",
             fmt::format(
                 "{} (after {})",
                 human_time(*run.closed_at),
                 human_duration(*run.closed_at - run.started_at)
             )}
        );
    } else if (run.due_at && run.status == "waiting") {
        rows.push_back({"due", human_time(*run.due_at)});
    }
    if (!run.output.is_null()) rows.push_back({"output", compact(run.output)});
    if (!run.error.is_null()) rows.push_back({"error", Cell(error_line(run.error), Color::red)});
    return rows;
}

}  // namespace pawl::cli
