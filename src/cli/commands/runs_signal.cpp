#include "cli/commands/registry.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/shared_options.hpp"
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
    app.add_option("NAME", options.name, "Which message")->required()->type_name("");
    add_json(app, "--data", options.data, "JSON, @file, or - for stdin");
    app.add_flag("--early", options.early, "Keep it until the run waits for it");
}

const RegisterCommand<RunsSignalOptions> runs_signal_command({
    .words = "runs signal",
    .order = 80,
    .what = "Send a run a message it waits for",
    .examples =
        {{"pawl runs signal ID go_on"}, {"pawl runs signal ID rated --data '{\"stars\": 5}'"}},
    .add = add_runs_signal,
    .run = run_runs_signal,
});

void add_runs_pause(App& app, RunsSignalOptions& options) {
    options.kind = "pause";
    add_run_id(app, options.id);
    add_run_reason(app, options.reason);
}

const RegisterCommand<RunsSignalOptions> runs_pause_command({
    .words = "runs pause",
    .order = 90,
    .what = "Hold a run before its next step",
    .examples = {{"pawl runs pause ID --reason 'the shop is closed'"}},
    .add = add_runs_pause,
    .run = run_runs_signal,
});

void add_runs_resume(App& app, RunsSignalOptions& options) {
    options.kind = "resume";
    add_run_id(app, options.id);
}

const RegisterCommand<RunsSignalOptions> runs_resume_command({
    .words = "runs resume",
    .order = 100,
    .what = "Let a paused run go on",
    .examples = {{"pawl runs resume ID"}},
    .add = add_runs_resume,
    .run = run_runs_signal,
});

}  // namespace

}  // namespace pawl::cli
