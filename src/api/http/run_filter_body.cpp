#include "api/http/run_filter_body.hpp"

#include "model/data_condition.hpp"

#include <algorithm>
#include <array>

namespace pawl::api {

namespace {

constexpr std::array<std::string_view, 6> statuses = {
    "queued", "running", "waiting", "completed", "failed", "cancelled"};
constexpr std::size_t text_max = 500;

bool is_status(std::string_view text) {
    return std::find(statuses.begin(), statuses.end(), text) != statuses.end();
}

std::optional<std::vector<std::string>> statuses_in(const json::value& value) {
    if (value.is_string()) return parse_statuses(value.get_string());
    if (!value.is_array()) return std::nullopt;
    std::vector<std::string> wanted;
    for (const json::value& one : value.get_array()) {
        if (!one.is_string() || !is_status(one.get_string())) return std::nullopt;
        wanted.emplace_back(one.get_string());
    }
    return wanted;
}

std::optional<Instant> read_time(Body& body, std::string_view key) {
    const auto text = body.text(key, text_max);
    if (!text) return std::nullopt;
    const auto at = parse_rfc3339(*text);
    if (!at) body.wrong(key, "must be a time like 2026-01-31T09:00:00Z");
    return at;
}

}  // namespace

std::optional<std::vector<std::string>> parse_statuses(std::string_view text) {
    std::vector<std::string> wanted;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view status = text.substr(0, end);
        if (!is_status(status)) return std::nullopt;
        wanted.emplace_back(status);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return wanted;
}

std::string data_problem(const std::vector<std::string>& where) {
    if (where.size() > data_conditions_max) return "has more than 10 conditions";
    for (const std::string& text : where) {
        if (const auto condition = read_data_condition(text); !condition) {
            return condition.error().message;
        }
    }
    return {};
}

store::RunFilter read_run_filter(Body& body) {
    store::RunFilter filter;
    filter.workflow = body.text("workflow", text_max).value_or("");
    filter.subject = body.text("subject", text_max).value_or("");
    filter.correlation_id = body.text("correlation_id", text_max).value_or("");
    filter.created_after = read_time(body, "created_after");
    filter.created_before = read_time(body, "created_before");
    if (const json::value* status = body.any("status")) {
        auto wanted = statuses_in(*status);
        if (!wanted) body.wrong("status", status_rule);
        if (wanted) filter.status = std::move(*wanted);
    }
    filter.error = body.text("error", error_text_max).value_or("");
    if (const json::array* where = body.array("where")) {
        for (const json::value& one : *where) {
            if (one.is_string()) filter.where.emplace_back(one.get_string());
        }
        std::string problem = data_problem(filter.where);
        if (filter.where.size() != where->size()) problem = "must be a list of texts";
        if (!problem.empty()) body.wrong("where", std::move(problem));
    }
    body.refuse_unknown();
    return filter;
}

}  // namespace pawl::api
