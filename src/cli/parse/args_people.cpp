#include "cli/parse/args_parser.hpp"

// The commands about events, messages to runs, and tasks for people.
namespace pawl::cli {

void Parser::add_run_signals(App& runs) {
    auto& signal = command(runs, "signal", "Send a run a message it waits for");
    signal.add_option("ID", runs_signal_.id, "The run")->required()->type_name("");
    signal.add_option("NAME", runs_signal_.name, "Which message")->required()->type_name("");
    signal.add_option("--data", runs_signal_.data, "JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-");
    signal.add_flag("--early", runs_signal_.early, "Keep it until the run waits for it");
    runs_signal_.kind = "signal";
    choose(signal, runs_signal_);

    auto& pause = command(runs, "pause", "Hold a run before its next step");
    pause.add_option("ID", runs_pause_.id, "The run")->required()->type_name("");
    pause.add_option("--reason", runs_pause_.reason, "Kept in the run's log")->type_name("TEXT");
    runs_pause_.kind = "pause";
    choose(pause, runs_pause_);

    auto& resume = command(runs, "resume", "Let a paused run go on");
    resume.add_option("ID", runs_resume_.id, "The run")->required()->type_name("");
    runs_resume_.kind = "resume";
    choose(resume, runs_resume_);

    auto& skip = command(runs, "skip", "Let a step be, and go on after it");
    skip.add_option("ID", runs_skip_.id, "The run")->required()->type_name("");
    skip.add_option("--node", runs_skip_.node, "The step")->required()->type_name("STEP");
    skip.add_option("--reason", runs_skip_.reason, "Kept in the run's log")
        ->required()
        ->type_name("TEXT");
    runs_skip_.by = user_name();
    skip.add_option("--by", runs_skip_.by, "Who says so [$USER]")->type_name("NAME");
    skip.add_option("--value", runs_skip_.value, "Its result: JSON, @file, or - for stdin [null]")
        ->type_name("JSON|@FILE|-");
    choose(skip, runs_skip_);

    auto& settle = command(runs, "settle", "Say how a step ended when nobody knows it");
    settle.add_option("ID", runs_settle_.id, "The run")->required()->type_name("");
    settle.add_option("--node", runs_settle_.node, "The step")->required()->type_name("STEP");
    settle.add_option("--as", runs_settle_.as, "How it ended")
        ->required()
        ->type_name("completed|failed|retry");
    runs_settle_.by = user_name();
    settle.add_option("--by", runs_settle_.by, "Who says so [$USER]")->type_name("NAME");
    settle.add_option("--reason", runs_settle_.reason, "Kept in the run's log")->type_name("TEXT");
    settle
        .add_option("--data", runs_settle_.data, "Its result: JSON, @file, or - for stdin [null]")
        ->type_name("JSON|@FILE|-");
    choose(settle, runs_settle_);
}

void Parser::add_events() {
    auto& app = command(app_, "events", "Tell Pawl what happened outside");
    app.require_subcommand(1);
    auto& send = command(app, "send", "Start and wake runs that want the event");
    add_parsed(send, "NAME", events_send_.name, some_text, "What happened: order.paid")
        ->required()
        ->type_name("");
    send.add_option("--key", events_send_.key, "Whom it is about: runs wait for a name and a key")
        ->type_name("TEXT");
    send.add_option("--subject", events_send_.subject, "The subject of runs that it starts [key]")
        ->type_name("TEXT");
    send.add_option("--data", events_send_.data, "JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-");
    send.add_option("--id", events_send_.id, "Sent twice with one id, it counts once")
        ->type_name("TEXT");
    choose(send, events_send_);

    auto& list = command(app, "list", "What came, newest first");
    list.add_option("--name", events_list_.name, "Only of this name")->type_name("TEXT");
    list.add_option("--key", events_list_.key, "Only with this key")->type_name("TEXT");
    add_number(list, "--limit", events_list_.limit, 1, 1000, "At most this many [50]");
    choose(list, events_list_);
}

void Parser::add_tasks() {
    auto& app = command(app_, "tasks", "What people are asked to decide");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Open ones, newest first");
    Choices<std::string> states;
    for (const char* state : {"open", "approved", "rejected", "timed_out", "withdrawn", "any"}) {
        states.emplace_back(state, state);
    }
    add_choice(list, "--state", tasks_list_.state, states, "In this state [open]");
    list.add_option("--assignee", tasks_list_.assignee, "Only for them")->type_name("NAME");
    list.add_option("--group", tasks_list_.group, "Only for this group")->type_name("NAME");
    list.add_option("--workflow", tasks_list_.workflow, "Only of this workflow")->type_name("NAME");
    list.add_option("--run", tasks_list_.run, "Only of this run")->type_name("ID");
    add_number(list, "--limit", tasks_list_.limit, 1, 1000, "At most this many [50]");
    choose(list, tasks_list_);

    auto& show = command(app, "show", "One task and what was done about it");
    show.add_option("ID", tasks_show_.id, "The task")->required()->type_name("");
    choose(show, tasks_show_);

    const auto action =
        [&](TasksActOptions& options, store::TaskActionKind kind, const char* name, const char* what
        ) -> App& {
        auto& made = command(app, name, what);
        options.kind = kind;
        options.by = user_name();
        made.add_option("ID", options.id, "The task")->required()->type_name("");
        made.add_option("--by", options.by, "Who decides [$USER]")->type_name("NAME");
        made.add_option("--reason", options.reason, "Kept with the decision")->type_name("TEXT");
        choose(made, options);
        return made;
    };
    using Kind = store::TaskActionKind;
    action(tasks_claim_, Kind::claim, "claim", "Keep others from deciding it");
    action(tasks_unclaim_, Kind::unclaim, "unclaim", "Let others decide it again");
    auto& approve = action(tasks_approve_, Kind::approve, "approve", "Say yes");
    approve.add_option("--data", tasks_approve_.data, "As edited: JSON, @file, or - for stdin")
        ->type_name("JSON|@FILE|-");
    action(tasks_reject_, Kind::reject, "reject", "Say no").get_option("--reason")->required();
    action(tasks_delegate_, Kind::delegate, "delegate", "Let somebody else decide")
        .add_option("--to", tasks_delegate_.to, "Who is to decide")
        ->required()
        ->type_name("NAME");
}

}  // namespace pawl::cli
