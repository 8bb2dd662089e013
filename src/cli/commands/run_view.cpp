#include "cli/commands/run_view.hpp"

#include "base/json.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "model/events/error_data.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace pawl::cli {

std::string human_time(Instant at) {
    const std::string text = to_rfc3339(at);
    return text.substr(0, 10) + " " + text.substr(11, 8);
}

std::string error_line(const json::value& error) {
    if (error.is_null()) return "";
    const auto failure = events::read<events::FailureData>(error);
    if (!failure.message) return compact(error);
    const std::string text(*failure.message);
    return failure.code ? fmt::format("{}: {}", *failure.code, text) : text;
}

std::string member(const json::value& document, std::string_view key) {
    return std::string(text_in(document, key));
}

std::int64_t number_member(const json::value& document, std::string_view key) {
    return whole_number(find(document, key)).value_or(0);
}

const json::value& value_member(const json::value& document, std::string_view key) {
    static const json::value nothing;
    const json::value* value = find(document, key);
    return value == nullptr ? nothing : *value;
}

std::optional<Instant> time_member(const json::value& document, std::string_view key) {
    return parse_rfc3339(member(document, key));
}

std::string human_time_member(const json::value& document, std::string_view key) {
    const auto at = time_member(document, key);
    return at ? human_time(*at) : "";
}

bool is_closed(const json::value& run) {
    const std::string_view status = text_in(run, "status");
    return status == "completed" || status == "failed" || status == "cancelled";
}

std::string not_undone_line(const json::value& error) {
    std::vector<std::string> steps;
    const auto left = events::read<events::FailurePlace>(error);
    for (const events::Payload& list : {left.not_undone, left.children_not_undone}) {
        if (!list || !list->is_array()) continue;
        for (const json::value& one : list->get_array()) {
            const auto undone = events::read<events::ChildNotUndone>(one);
            const std::string_view step = undone.step.value_or("");
            steps.push_back(
                undone.run.empty() ? std::string(step) : fmt::format("{} (of {})", step, undone.run)
            );
        }
    }
    return steps.empty() ? "" : fmt::format("not undone: {}", fmt::join(steps, ", "));
}

std::string status_line(const json::value& run) {
    const std::string left = not_undone_line(value_member(run, "error"));
    return left.empty() ? member(run, "status") : member(run, "status") + ", " + left;
}

std::vector<TableRow> details_of(const json::value& run) {
    std::vector<TableRow> rows{
        {"run", member(run, "id")},
        {"workflow", fmt::format("{} v{}", member(run, "workflow"), number_member(run, "version"))},
        {"status", Cell(status_line(run), status_color(member(run, "status")))}};
    const auto began = time_member(run, "created_at");
    const auto ended = time_member(run, "closed_at");
    const auto due = time_member(run, "due_at");
    if (!member(run, "subject").empty()) rows.push_back({"subject", member(run, "subject")});
    if (began) rows.push_back({"started", human_time(*began)});
    if (began && ended) {
        rows.push_back(
            {"ended",
             fmt::format("{} (after {})", human_time(*ended), human_duration(*ended - *began))}
        );
    } else if (due && member(run, "status") == "waiting") {
        rows.push_back({"due", human_time(*due)});
    }
    const json::value& output = value_member(run, "output");
    const json::value& error = value_member(run, "error");
    if (!output.is_null()) rows.push_back({"output", compact(output)});
    if (!error.is_null()) rows.push_back({"error", Cell(error_line(error), Color::red)});
    return rows;
}

}  // namespace pawl::cli
