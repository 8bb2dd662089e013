#include "cli/commands/send_signal.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct RunsSignalOptions {
    Globals globals;
    std::string kind;  // signal, pause, resume
    std::string id;
    std::string name;    // of a signal
    std::string data;    // JSON, @file, or - for stdin; empty: none
    std::string reason;  // of a pause
    bool early = false;  // a signal that the run does not wait for yet
};

int run_runs_signal(const RunsSignalOptions& options) {
    for (const auto& [option, text] :
         {std::pair{"NAME", options.name}, {"--reason", options.reason}}) {
        if (auto fine = check_text(option, text, 1000); !fine) {
            return report(options.globals, fine.error());
        }
    }
    Message message{options.kind, options.kind, {}};
    if (options.kind == "signal") {
        auto given = read_json(options.data);
        if (!given) return report(options.globals, given.error());
        message.path = "signals";
        message.body["name"] = options.name;
        message.body["data"] = std::move(*given);
        if (options.early) message.body["early"] = true;
    }
    if (options.kind == "pause") {
        message.body["reason"] =
            options.reason.empty() ? "paused on the command line" : options.reason;
    }
    return send_message(options.globals, options.id, std::move(message));
}

void add_runs_signal(App& app, RunsSignalOptions& options) {
    options.kind = "signal";
    add_run_id(app, options.id);
    add_parsed(app, "NAME", options.name, some_text, "Name of the signal")
        ->required()
        ->type_name("");
    add_json(app, "--data", options.data, "JSON, @file, or - for stdin");
    app.add_flag("--early", options.early, "Keep it until the run waits for it");
}

const RegisterCommand<run_runs_signal, add_runs_signal> runs_signal_command(
    {"runs signal", 80, "Send a run a signal that it waits for"},
    {{"pawl runs signal ID go_on"}, {"pawl runs signal ID rated --data '{\"stars\": 5}'"}}
);

void add_runs_pause(App& app, RunsSignalOptions& options) {
    options.kind = "pause";
    add_run_id(app, options.id);
    add_run_reason(app, options.reason);
}

const RegisterCommand<run_runs_signal, add_runs_pause> runs_pause_command(
    {"runs pause", 90, "Hold a run before its next step"},
    {{"pawl runs pause ID --reason 'the shop is closed'"}}
);

void add_runs_resume(App& app, RunsSignalOptions& options) {
    options.kind = "resume";
    add_run_id(app, options.id);
}

const RegisterCommand<run_runs_signal, add_runs_resume> runs_resume_command(
    {"runs resume", 100, "Continue a paused run"}, {{"pawl runs resume ID"}}
);

}  // namespace

}  // namespace pawl::cli
