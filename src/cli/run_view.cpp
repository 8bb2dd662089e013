#include "cli/run_view.hpp"

#include "base/json.hpp"
#include "cli/pretty_json.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

json::value time_or_null(const std::optional<Instant>& at) {
    return at ? json::value(to_rfc3339(*at)) : json::value();
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

}  // namespace

json::object to_json(const store::RunSummary& run) {
    json::object out;
    out["id"] = to_string(run.id);
    out["workflow"] = run.workflow;
    out["version"] = run.version;
    out["status"] = run.status;
    out["subject"] = text_or_null(run.subject);
    out["started_at"] = to_rfc3339(run.started_at);
    out["closed_at"] = time_or_null(run.closed_at);
    out["due_at"] = time_or_null(run.due_at);
    out["output"] = run.output;
    out["error"] = run.error;
    return out;
}

json::object to_json(const Event& event) {
    json::object out;
    out["seq"] = event.seq;
    out["at"] = to_rfc3339(event.at);
    out["type"] = name(event.type);
    out["node"] = text_or_null(event.node);
    out["attempt"] = event.attempt == 0 ? json::value() : json::value(event.attempt);
    out["data"] = event.data;
    out["error"] = event.error;
    return out;
}

bool is_closed(const store::RunSummary& run) {
    return run.status == "completed" || run.status == "failed" || run.status == "cancelled";
}

std::string human_time(Instant at) {
    const std::string text = to_rfc3339(at);
    return text.substr(0, 10) + " " + text.substr(11, 8);
}

std::string human_duration(Duration duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    if (seconds < 0.1) return fmt::format("{:.1f} ms", seconds * 1000);
    if (seconds < 60) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long long>(seconds);
    if (whole < 3600) return fmt::format("{} m {} s", whole / 60, whole % 60);
    if (whole < 86400) return fmt::format("{} h {} m", whole / 3600, whole % 3600 / 60);
    return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
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

std::vector<TableRow> details_of(const store::RunSummary& run) {
    std::vector<TableRow> rows{
        {"run", to_string(run.id)},
        {"workflow", fmt::format("{} v{}", run.workflow, run.version)},
        {"status", Cell(run.status, status_color(run.status))}};
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
