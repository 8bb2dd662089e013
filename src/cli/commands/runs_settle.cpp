#include "cli/commands/registry.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"
#include "plan/settle.hpp"

namespace pawl::cli {

namespace {

struct RunsSettleOptions {
    Globals globals;
    std::string id;
    std::string node;
    std::string as;
    std::string by;
    std::string reason;
    std::string data;  // JSON, @file, or - for stdin; empty: none
};

int run_runs_settle(const RunsSettleOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    if (!plan::parse_settled(options.as)) {
        return report(
            options.globals, {Errc::invalid, "--as must be completed, failed or retry", {}}
        );
    }
    json::object body{{"node", options.node}, {"as", options.as}, {"by", options.by}};
    if (!options.reason.empty()) body["reason"] = options.reason;
    if (!options.data.empty()) {
        auto data = read_json(options.data);
        if (!data) return report(options.globals, data.error());
        body["data"] = std::move(*data);
    }
    return send_message(options.globals, options.id, {"settle", "callback", std::move(body)});
}

void add_runs_settle(App& app, RunsSettleOptions& options) {
    add_run_id(app, options.id);
    app.add_option("--node", options.node, "The step")->required()->type_name("STEP");
    app.add_option("--as", options.as, "How it ended")
        ->required()
        ->type_name("completed|failed|retry");
    add_by(app, options.by);
    add_run_reason(app, options.reason);
    add_json(app, "--data", options.data, "Its result: JSON, @file, or - for stdin [null]");
}

const RegisterCommand<run_runs_settle, add_runs_settle> runs_settle_command(
    {"runs settle", 120, "Say how a step ended when nobody knows it"},
    {{"pawl runs settle ID --node charge --as completed --data '{\"id\": 7}'"},
     {"pawl runs settle ID --node charge --as retry --reason 'not charged'"}}
);

}  // namespace

}  // namespace pawl::cli
