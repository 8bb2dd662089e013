#include "cli/parse/args_parser.hpp"

#include <limits>

// The commands about runs, and the keys to them.
namespace pawl::cli {

void Parser::add_run() {
    auto& app = command(app_, "run", "Start a run of a workflow");
    app.add_option("NAME", run_.workflow, "Name of the workflow")->required()->type_name("");
    app.add_option("--data", run_.data, "Input: JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-")
        ->capture_default_str();
    app.add_option("--version", run_.version, "A version that is active or has a share, maybe 0")
        ->type_name("N|LABEL");
    app.add_flag("--wait", run_.wait, "Wait until it has ended, and print how");
    add_parsed(app, "--timeout", run_.timeout, parse_duration, "The longest --wait")
        ->type_name("TIME")
        ->default_str("60s");
    const char* once = "Start at most one run for this key";
    add_parsed(app, "--correlation", run_.correlation, some_text, once)->type_name("KEY");
    app.add_option("--subject", run_.subject, "Whom the run is about")->type_name("TEXT");
    add_number(
        app,
        "--priority",
        run_.priority,
        std::numeric_limits<std::int16_t>::min(),
        std::numeric_limits<std::int16_t>::max(),
        "Lower is sooner [0]"
    );
    add_parsed(app, "--delay", run_.delay, some_duration, "Start it later: 30s, 10m, 2d")
        ->type_name("TIME");
    choose(app, run_);
}

void Parser::add_runs() {
    auto& app = command(app_, "runs", "Look at runs, talk to them, cancel them");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Newest first");
    list.add_option("--workflow", runs_list_.workflow, "Only of this workflow")->type_name("NAME");
    const std::vector<std::string> names{
        "queued", "waiting", "running", "completed", "failed", "cancelled"};
    Choices<std::string> statuses;
    for (const std::string& name : names) statuses.emplace_back(name, name);
    add_choice(list, "--status", runs_list_.status, statuses, "Only in this state");
    list.add_option("--subject", runs_list_.subject, "Only about them")->type_name("TEXT");
    add_number(list, "--limit", runs_list_.limit, 1, 1000, "At most this many [50]");
    list.add_option("--before", runs_list_.before, "Only older than this run")->type_name("ID");
    choose(list, runs_list_);

    auto& show = command(app, "show", "One run and its log");
    show.add_option("ID", runs_show_.id, "The run")->required()->type_name("");
    choose(show, runs_show_);

    auto& why = command(app, "why", "Why a run is not moving, and what would move it");
    why.add_option("ID", runs_why_.id, "The run")->required()->type_name("");
    choose(why, runs_why_);

    auto& retry = command(app, "retry", "Go on where a run failed, as a new run");
    retry.add_option("ID", runs_retry_.id, "The run")->required()->type_name("");
    choose(retry, runs_retry_);

    auto& rerun = command(app, "rerun", "Do a run again, as a new run");
    runs_rerun_.rerun = true;
    rerun.add_option("ID", runs_rerun_.id, "The run")->required()->type_name("");
    rerun.add_option("--from", runs_rerun_.from, "Begin at this step, in the run's own version")
        ->type_name("STEP");
    rerun.add_option("--data", runs_rerun_.data, "Another input: JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-");
    rerun.add_flag("--yes", runs_rerun_.yes, "Also in a version that is retired");
    choose(rerun, runs_rerun_);

    auto& watch = command(app, "watch", "Follow a run until it has ended");
    watch.add_option("ID", runs_watch_.id, "The run")->required()->type_name("");
    choose(watch, runs_watch_);

    auto& cancel = command(app, "cancel", "Ask a run to stop and to undo what it did");
    cancel.add_option("ID", runs_cancel_.id, "The run")->required()->type_name("");
    cancel.add_option("--reason", runs_cancel_.reason, "Kept in the run's log")->type_name("TEXT");
    cancel.add_flag("--force", runs_cancel_.force, "End at once: wait for nothing, undo nothing");
    choose(cancel, runs_cancel_);
    add_run_signals(app);
    add_runs_bulk(app);
}

void Parser::add_keys() {
    auto& app = command(app_, "keys", "Make, list and revoke API keys");
    app.require_subcommand(1);
    auto& create = command(app, "create", "Make a key; it is printed once and not kept");
    create.add_option("--name", keys_create_.name, "What the key is for")
        ->required()
        ->type_name("TEXT");
    create
        .add_option(
            "--scope",
            keys_create_.scopes,
            "What it allows; may be given several times: workflows:read, workflows:write, "
            "runs:read, runs:write, events:read, events:write, tasks:read, tasks:write, "
            "metrics:read, admin (all of them)"
        )
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("SCOPE");
    const char* expires = "Valid for this long (90d); default: until it is revoked";
    add_parsed(create, "--expires", keys_create_.expires, some_duration, expires)
        ->type_name("TIME");
    choose(create, keys_create_);

    auto& list = command(app, "list", "All keys, without their secrets");
    choose(list, keys_list_);

    auto& revoke = command(app, "revoke", "Make a key useless, within 5 seconds everywhere");
    revoke.add_option("PREFIX", keys_revoke_.prefix, "The key, as in `pawl keys list`")
        ->required()
        ->type_name("");
    choose(revoke, keys_revoke_);
}

}  // namespace pawl::cli
