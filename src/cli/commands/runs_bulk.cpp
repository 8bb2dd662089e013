#include "base/spoken.hpp"
#include "cli/commands/bulk_request.hpp"
#include "cli/commands/job_watch.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
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
    if (!filter.error.empty()) out["error"] = filter.error;
    if (!filter.where.empty()) out["where"] = json::value_from(filter.where);
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
    if (action.action == "settle") {
        body["node"] = action.node;
        body["as"] = action.as;
        body["reason"] = action.reason;
        if (!action.data.is_null()) body["data"] = action.data;
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

int run_runs_bulk(const RunsBulkOptions& options) {
    const auto request = read_bulk(options);
    if (!request) return report(options.globals, request.error());
    return with_door(options.globals, [&](Door& door) { return bulk(door, options, *request); });
}

void add_bulk_filter(App& app, RunsBulkOptions& options) {
    add_workflow_filter(app, options.workflow);
    app.add_option("--status", options.status, "Only in these states [all that ACTION is for]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("STATUS,...");
    app.add_option("--subject", options.subject, "Only about this subject")->type_name("TEXT");
    app.add_option("--correlation", options.correlation, "Only of this key")->type_name("KEY");
    app.add_option("--created-after", options.created_after, "Only from then on")
        ->type_name("TIME");
    app.add_option("--created-before", options.created_before, "Only from before")
        ->type_name("TIME");
    add_run_search(app, options.error, options.where);
    app.add_flag("--all", options.all, "All that ACTION is for, without a condition");
}

void add_runs_bulk(App& app, RunsBulkOptions& options) {
    store::BulkAction& action = options.action;
    action.by = user_name();
    add_word(
        app,
        "ACTION",
        action.action,
        {"cancel", "pause", "resume", "signal", "skip", "settle", "retry", "rerun"},
        "What to do"
    )
        ->required();
    add_bulk_filter(app, options);
    const char* limit = "Do nothing when more match [100000]";
    add_number(app, "--limit", action.limit, 1, store::bulk_limit_max, limit);
    app.add_option("--reason", action.reason, "Kept in the runs' logs")->type_name("TEXT");
    app.add_option("--name", action.name, "Of the signal")->type_name("NAME");
    add_json(app, "--data", options.data, "Of the signal; the result of a step to settle");
    app.add_option("--node", action.node, "The step to skip or settle")->type_name("STEP");
    app.add_option("--as", action.as, "How the step to settle ended")
        ->type_name("completed|failed|retry");
    add_json(app, "--value", options.value, "The result of that step [null]");
    auto* dry = app.add_flag("--dry-run", options.dry_run, "Only count the runs and show some");
    app.add_flag("--yes", options.yes, "Really do it")->excludes(dry);
    app.add_flag("--no-wait", options.no_wait, "Do not wait for the end of the job");
}

void check_runs_bulk(const RunsBulkOptions& options) {
    if (options.dry_run || options.yes) return;
    throw WrongUse("say --dry-run to see what would be done, or --yes to do it");
}

const RegisterCommand<run_runs_bulk, add_runs_bulk, check_runs_bulk> runs_bulk_command(
    {"runs bulk", 130, "Do one thing to all runs that match, as a job"},
    {{"pawl runs bulk cancel --workflow nightly --status waiting --dry-run"},
     {"pawl runs bulk retry --workflow mail --created-after 2026-03-01 --yes"},
     {"pawl runs bulk skip --workflow order --node rate --reason gone --yes"},
     {"pawl runs bulk settle --workflow mail --node send --as completed --yes"},
     {"pawl runs bulk pause --all --reason 'maintenance' --yes --no-wait"}}
);

}  // namespace

}  // namespace pawl::cli
