#include "base/spoken.hpp"
#include "cli/commands/bulk_request.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/job_watch.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

std::string matching(std::int64_t runs) {
    return counted(static_cast<std::uint64_t>(runs), "run") + (runs == 1 ? " matches" : " match");
}

void print_preview(const Globals& globals, const json::value& preview) {
    if (globals.machine()) return print_json(globals, preview);
    for (const json::value& run : value_member(preview, "sample").as_array()) {
        print_line(run.as_string());
    }
    say(globals,
        fmt::format(
            "{}{}; nothing was changed",
            value_member(preview, "complete").as_bool() ? "" : "more than ",
            matching(number_member(preview, "total"))
        ));
}

json::object filter_of(const store::RunFilter& filter) {
    json::object out;
    if (!filter.workflow.empty()) out["workflow"] = filter.workflow;
    if (!filter.subject.empty()) out["subject"] = filter.subject;
    if (!filter.correlation_id.empty()) out["correlation_id"] = filter.correlation_id;
    if (!filter.status.empty()) out["status"] = json::value_from(filter.status);
    if (filter.created_after) out["created_after"] = to_rfc3339(*filter.created_after);
    if (filter.created_before) out["created_before"] = to_rfc3339(*filter.created_before);
    return out;
}

json::object body_of(const RunsBulkOptions& options, const BulkRequest& request) {
    const store::BulkAction& action = request.action;
    json::object body{
        {"action", action.action},
        {"filter", filter_of(request.filter)},
        {"limit", action.limit},
        {"by", action.by}};
    if (options.all) body["all"] = true;
    if (options.dry_run) body["dry_run"] = true;
    const bool skip = action.action == "skip";
    if (skip || action.action == "cancel" || action.action == "pause") {
        body["reason"] = action.reason;
    }
    if (skip) body["node"] = action.node;
    if (skip && !action.value.is_null()) body["value"] = action.value;
    if (action.action == "signal") body["name"] = action.name;
    if (action.action == "signal" && !action.data.is_null()) body["data"] = action.data;
    return body;
}

asio::awaitable<int> bulk(Door& door, const RunsBulkOptions& options, BulkRequest request) {
    const Globals& globals = options.globals;
    if (auto unknown = co_await misspelt_workflow(door, request.filter.workflow)) {
        co_return report(globals, *unknown);
    }
    auto answer = co_await door.call({"POST", {"runs", "bulk"}, {}, body_of(options, request)});
    if (!answer) co_return report(globals, answer.error());
    if (options.dry_run) {
        print_preview(globals, *answer);
        co_return exit_ok;
    }
    if (!options.no_wait) answer = co_await watch_job(door, globals, std::move(*answer));
    if (!answer) co_return report(globals, answer.error());
    co_return print_job(globals, *answer);
}

}  // namespace

int run_runs_bulk(const RunsBulkOptions& options) {
    const auto request = read_bulk(options);
    if (!request) return report(options.globals, request.error());
    return with_door(options.globals, [&](Door& door) { return bulk(door, options, *request); });
}

}  // namespace pawl::cli
