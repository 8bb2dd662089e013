#include "cli/parse/args_parser.hpp"

// The commands of whoever operates it: dead letters, schedules, limits, jobs.
namespace pawl::cli {

void Parser::add_dead_letters() {
    auto& app = command(app_, "dead-letters", "Runs that gave up: look at them, replay them");
    app.require_subcommand(1);
    const auto filter = [](App& to, DeadLettersOptions& options) {
        to.add_option("--workflow", options.workflow, "Only of this workflow")->type_name("NAME");
        to.add_option(
              "--fingerprint", options.fingerprint, "Only this error: its first 6 digits or more"
        )
            ->type_name("HEX");
    };
    auto& list = command(app, "list", "Those not replayed yet, newest first");
    filter(list, dead_list_);
    add_number(list, "--limit", dead_list_.limit, 1, 1000, "At most this many [50]");
    choose(list, dead_list_);
    auto& replay = command(app, "replay", "Go on at the failed step, as a new run");
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

void Parser::add_schedules() {
    using Action = SchedulesOptions::Action;
    auto& app = command(app_, "schedules", "Cron triggers: look at them, pause, fire, backfill");
    app.require_subcommand(1);
    auto& list = command(app, "list", "All schedules and their next slots");
    list.add_option("--workflow", schedules_list_.workflow, "Only of this workflow")
        ->type_name("NAME");
    choose(list, schedules_list_);
    const auto one = [this](App& to, SchedulesOptions& options, Action action) {
        options.action = action;
        const char* what = "Its id, or the name of a workflow that has only this one";
        to.add_option("SCHEDULE", options.which, what)->required()->type_name("");
        choose(to, options);
    };
    one(command(app, "show", "One schedule: its next times, its last runs, what is wrong"),
        schedules_show_,
        Action::show);
    auto& pause = command(app, "pause", "Start no more runs");
    pause.add_option("--reason", schedules_pause_.reason, "Shown to others")->type_name("TEXT");
    one(pause, schedules_pause_, Action::pause);
    one(command(app, "resume", "Start runs again, from the next slot on"),
        schedules_resume_,
        Action::resume);
    auto& trigger = command(app, "trigger", "Start a run of it now, beside its slots");
    trigger
        .add_option(
            "--data",
            schedules_trigger_.data,
            "Another input than that of the schedule: JSON, @file, or - for stdin"
        )
        ->type_name("JSON|@FILE|-");
    one(trigger, schedules_trigger_, Action::trigger);
    auto& backfill = command(app, "backfill", "Start the runs of slots that have passed");
    auto* from = backfill.add_option("--from", schedules_backfill_.from, "The first moment")
                     ->type_name("TIME");
    auto* to = backfill.add_option("--to", schedules_backfill_.to, "Up to before this [now]")
                   ->type_name("TIME");
    backfill.add_flag("--cancel", schedules_backfill_.cancel, "Start no more of the one under way")
        ->excludes(from)
        ->excludes(to);
    backfill.add_flag("--wait", schedules_backfill_.wait, "Until workers came to all of them");
    one(backfill, schedules_backfill_, Action::backfill);
    backfill.callback([this] {
        if (schedules_backfill_.from.empty() && !schedules_backfill_.cancel) {
            throw WrongUse("say --from when it begins, or --cancel to end the one under way");
        }
        chosen_ = schedules_backfill_;
    });
}

void Parser::add_limits() {
    using Action = LimitsOptions::Action;
    auto& app = command(app_, "limits", "How many runs may go on at once: look, change");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Limits that runs are under now, and those that were set");
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
    auto& set = command(app, "set", "Set a limit over that of the definition");
    one(set, limits_set_, Action::set);
    add_number(set, "LIMIT", limits_set_.limit, 0, 1'000'000, "How many")
        ->required()
        ->type_name("");
    one(command(app, "clear", "Have the limit of the definition count again"),
        limits_clear_,
        Action::clear);
}

void Parser::add_jobs() {
    using Action = JobsOptions::Action;
    auto& app = command(app_, "jobs", "What servers do in the background: bulk, migrate, replay");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Newest first");
    Choices<std::string> states;
    for (const char* state : {"queued", "running", "done", "failed", "cancelled"}) {
        states.emplace_back(state, state);
    }
    add_choice(list, "--status", jobs_list_.status, states, "Only in this state");
    add_number(list, "--limit", jobs_list_.limit, 1, 1000, "At most this many [50]");
    choose(list, jobs_list_);
    const auto one = [this](App& to, JobsOptions& options, Action action) {
        options.action = action;
        options.by = user_name();
        to.add_option("ID", options.id, "The job")->required()->type_name("");
        choose(to, options);
    };
    one(command(app, "show", "How far a job is, and what it could not do"), jobs_show_, Action::show
    );
    one(command(app, "watch", "Follow a job until it is over"), jobs_watch_, Action::watch);
    auto& cancel = command(app, "cancel", "Stop a job; what it has done stays done");
    one(cancel, jobs_cancel_, Action::cancel);
    cancel.add_option("--by", jobs_cancel_.by, "Who says so [$USER]")->type_name("NAME");
}

}  // namespace pawl::cli
