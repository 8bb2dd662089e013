#include "cli/args_parser.hpp"

#include <limits>

// The commands about runs, and the keys to them.
namespace pawl::cli {

void Parser::add_run() {
    auto& app = command(app_, "run", "Start a run of a workflow", help::run);
    app.add_option("NAME", run_.workflow, "Name of the workflow")->required()->type_name("");
    app.add_option("--data", run_.data, "Input: JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-")
        ->capture_default_str();
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
    auto& app = command(app_, "runs", "Look at runs, talk to them, cancel them", "");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Newest first", help::runs_list);
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

    auto& show = command(app, "show", "One run and its log", help::runs_show);
    show.add_option("ID", runs_show_.id, "The run")->required()->type_name("");
    choose(show, runs_show_);

    auto& why =
        command(app, "why", "Why a run is not moving, and what would move it", help::runs_why);
    why.add_option("ID", runs_why_.id, "The run")->required()->type_name("");
    choose(why, runs_why_);

    auto& retry = command(app, "retry", "Go on where a run failed, as a new run", help::runs_retry);
    retry.add_option("ID", runs_retry_.id, "The run")->required()->type_name("");
    choose(retry, runs_retry_);

    auto& rerun = command(app, "rerun", "Do a run again, as a new run", help::runs_rerun);
    runs_rerun_.rerun = true;
    rerun.add_option("ID", runs_rerun_.id, "The run")->required()->type_name("");
    rerun.add_option("--from", runs_rerun_.from, "Begin at this step, in the run's own version")
        ->type_name("STEP");
    rerun.add_option("--data", runs_rerun_.data, "Another input: JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-");
    choose(rerun, runs_rerun_);

    auto& watch = command(app, "watch", "Follow a run until it has ended", help::runs_watch);
    watch.add_option("ID", runs_watch_.id, "The run")->required()->type_name("");
    choose(watch, runs_watch_);

    auto& cancel =
        command(app, "cancel", "Ask a run to stop after the step under way", help::runs_cancel);
    cancel.add_option("ID", runs_cancel_.id, "The run")->required()->type_name("");
    cancel.add_option("--reason", runs_cancel_.reason, "Kept in the run's log")->type_name("TEXT");
    choose(cancel, runs_cancel_);
    add_run_signals(app);
    add_runs_bulk(app);
}

void Parser::add_dead_letters() {
    auto& app = command(app_, "dead-letters", "Runs that gave up: look at them, replay them", "");
    app.require_subcommand(1);
    const auto filter = [](App& to, DeadLettersOptions& options) {
        to.add_option("--workflow", options.workflow, "Only of this workflow")->type_name("NAME");
        to.add_option(
              "--fingerprint", options.fingerprint, "Only this error: its first 6 digits or more"
        )
            ->type_name("HEX");
    };
    auto& list = command(app, "list", "Those not replayed yet, newest first", "");
    filter(list, dead_list_);
    add_number(list, "--limit", dead_list_.limit, 1, 1000, "At most this many [50]");
    choose(list, dead_list_);
    auto& replay =
        command(app, "replay", "Go on at the failed step, as a new run", help::dead_replay);
    dead_replay_.replay = true;
    auto* runs = replay.add_option("RUN", dead_replay_.runs, "The runs")->type_name("");
    filter(replay, dead_replay_);
    replay.add_flag("--all", dead_replay_.all, "All that match")->excludes(runs);
    replay.callback([this] {
        if (dead_replay_.runs.empty() && !dead_replay_.all) {
            throw WrongUse("say which: RUN..., or --all");
        }
        chosen_ = dead_replay_;
    });
}

void Parser::add_keys() {
    auto& app = command(app_, "keys", "Make, list and revoke API keys", "");
    app.require_subcommand(1);
    auto& create =
        command(app, "create", "Make a key; it is printed once and not kept", help::keys_create);
    create.add_option("--name", keys_create_.name, "What the key is for")
        ->required()
        ->type_name("TEXT");
    create
        .add_option(
            "--scope",
            keys_create_.scopes,
            "What it allows; may be given several times: workflows:read, workflows:write, "
            "runs:read, runs:write, events:read, events:write, tasks:read, tasks:write, admin "
            "(all of them)"
        )
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("SCOPE");
    const char* expires = "Valid for this long (90d); default: until it is revoked";
    add_parsed(create, "--expires", keys_create_.expires, some_duration, expires)
        ->type_name("TIME");
    choose(create, keys_create_);

    auto& list = command(app, "list", "All keys, without their secrets", "");
    choose(list, keys_list_);

    auto& revoke = command(
        app, "revoke", "Make a key useless, within 5 seconds everywhere", help::keys_revoke
    );
    revoke.add_option("PREFIX", keys_revoke_.prefix, "The key, as in `pawl keys list`")
        ->required()
        ->type_name("");
    choose(revoke, keys_revoke_);
}

void Parser::add_schedules() {
    using Action = SchedulesOptions::Action;
    auto& app = command(app_, "schedules", "Cron triggers: look at them, pause, backfill", "");
    app.require_subcommand(1);
    auto& list = command(app, "list", "All schedules and their next slots", "");
    list.add_option("--workflow", schedules_list_.workflow, "Only of this workflow")
        ->type_name("NAME");
    choose(list, schedules_list_);
    const auto one = [this](App& to, SchedulesOptions& options, Action action) {
        options.action = action;
        add_number(to, "ID", options.id, 1, std::numeric_limits<std::int32_t>::max(), "Which one")
            ->required()
            ->type_name("");
        choose(to, options);
    };
    auto& pause = command(app, "pause", "Start no more runs", help::schedules_pause);
    pause.add_option("--reason", schedules_pause_.reason, "Shown to others")->type_name("TEXT");
    one(pause, schedules_pause_, Action::pause);
    one(command(app, "resume", "Start runs again, from the next slot on", ""),
        schedules_resume_,
        Action::resume);
    auto& backfill = command(
        app, "backfill", "Start the runs of slots that have passed", help::schedules_backfill
    );
    backfill.add_option("--from", schedules_backfill_.from, "The first moment")
        ->required()
        ->type_name("TIME");
    backfill.add_option("--to", schedules_backfill_.to, "Up to before this [now]")
        ->type_name("TIME");
    one(backfill, schedules_backfill_, Action::backfill);
}

void Parser::add_limits() {
    using Action = LimitsOptions::Action;
    auto& app = command(app_, "limits", "How many runs may go on at once: look, change", "");
    app.require_subcommand(1);
    auto& list =
        command(app, "list", "Limits that runs are under now, and those that were set", "");
    list.add_option("--workflow", limits_list_.workflow, "Only of this workflow")
        ->type_name("NAME");
    choose(list, limits_list_);
    const auto one = [this](App& to, LimitsOptions& options, Action action) {
        options.action = action;
        to.add_option("NAME", options.name, "As in the definition, or concurrency, or rate")
            ->required()
            ->type_name("");
        to.add_option("--workflow", options.workflow, "Whose it is [workflows share it]")
            ->type_name("NAME");
        to.add_option("--key", options.key, "Only for this key [every key]")->type_name("TEXT");
        choose(to, options);
    };
    auto& set = command(app, "set", "Set a limit over that of the definition", help::limits_set);
    one(set, limits_set_, Action::set);
    add_number(set, "LIMIT", limits_set_.limit, 0, 1'000'000, "How many")
        ->required()
        ->type_name("");
    one(command(app, "clear", "Have the limit of the definition count again", ""),
        limits_clear_,
        Action::clear);
}

}  // namespace pawl::cli
