#include "cli/commands/send_signal.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"
#include "plan/settle.hpp"

// What a person decides about one step of a run: to skip it, or how it ended.
namespace pawl::cli {

namespace {

struct RunsStepOptions {
    Globals globals;
    std::string id;
    std::string node;
    std::string as;  // how it ended
    std::string by;
    std::string reason;
    std::string result;  // JSON, @file, or - for stdin; empty: none
};

// Sends `message` with the step and what was said of it, and the result of the step, which
// `option` gives.
int send_decision(const RunsStepOptions& options, Message message, const char* option) {
    json::object& body = message.body;
    body["node"] = options.node;
    body["by"] = options.by;
    if (!options.reason.empty()) body["reason"] = options.reason;
    if (!options.result.empty()) {
        auto result = read_json(options.result, option);
        if (!result) return report(options.globals, result.error());
        body[option + 2] = std::move(*result);  // without --
    }
    return send_message(options.globals, options.id, std::move(message));
}

int run_runs_skip(const RunsStepOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    return send_decision(options, {"skip", "skip", {{"reason", options.reason}}}, "--value");
}

int run_runs_settle(const RunsStepOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    if (!plan::parse_settled(options.as)) {
        return report(
            options.globals, {Errc::invalid, "--as must be completed, failed or retry", {}}
        );
    }
    return send_decision(options, {"settle", "callback", {{"as", options.as}}}, "--data");
}

void add_step(App& app, RunsStepOptions& options) {
    add_run_id(app, options.id);
    app.add_option("--node", options.node, "The step")->required()->type_name("STEP");
}

void add_result(App& app, const char* name, RunsStepOptions& options) {
    add_json(app, name, options.result, "Its result: JSON, @file, or - for stdin [null]");
}

void add_runs_skip(App& app, RunsStepOptions& options) {
    add_step(app, options);
    add_run_reason(app, options.reason)->required();
    add_by(app, options.by);
    add_result(app, "--value", options);
}

void add_runs_settle(App& app, RunsStepOptions& options) {
    add_step(app, options);
    app.add_option("--as", options.as, "How it ended")
        ->required()
        ->type_name("completed|failed|retry");
    add_by(app, options.by);
    add_run_reason(app, options.reason);
    add_result(app, "--data", options);
}

const RegisterCommand<run_runs_skip, add_runs_skip> runs_skip_command(
    {"runs skip", 110, "Skip a step and continue after it"},
    {{"pawl runs skip ID --node charge --reason 'was paid in cash'"},
     {"pawl runs skip ID --node rate --reason 'is down' --value '{\"stars\": 3}'"}}
);

const RegisterCommand<run_runs_settle, add_runs_settle> runs_settle_command(
    {"runs settle", 120, "Say how a step ended when its outcome is unknown"},
    {{"pawl runs settle ID --node charge --as completed --data '{\"id\": 7}'"},
     {"pawl runs settle ID --node charge --as retry --reason 'not charged'"}}
);

}  // namespace

}  // namespace pawl::cli
