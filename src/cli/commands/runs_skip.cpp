#include "cli/commands/registry.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct RunsSkipOptions {
    Globals globals;
    std::string id;
    std::string node;
    std::string by;
    std::string reason;
    std::string value;  // JSON, @file, or - for stdin; empty: none
};

int run_runs_skip(const RunsSkipOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    json::object body{{"node", options.node}, {"by", options.by}, {"reason", options.reason}};
    if (!options.value.empty()) {
        auto value = read_json(options.value, "--value");
        if (!value) return report(options.globals, value.error());
        body["value"] = std::move(*value);
    }
    return send_message(options.globals, options.id, {"skip", "skip", std::move(body)});
}

void add_runs_skip(App& app, RunsSkipOptions& options) {
    add_run_id(app, options.id);
    app.add_option("--node", options.node, "The step")->required()->type_name("STEP");
    add_run_reason(app, options.reason)->required();
    add_by(app, options.by);
    add_json(app, "--value", options.value, "Its result: JSON, @file, or - for stdin [null]");
}

const RegisterCommand<run_runs_skip, add_runs_skip> runs_skip_command(
    {"runs skip", 110, "Let a step be, and go on after it"},
    {{"pawl runs skip ID --node charge --reason 'was paid in cash'"},
     {"pawl runs skip ID --node rate --reason 'is down' --value '{\"stars\": 3}'"}}
);

}  // namespace

}  // namespace pawl::cli
