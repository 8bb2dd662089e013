#include "cli/args.hpp"

#include "cli/console.hpp"
#include "cli/help_text.hpp"
#include "cli/refusal.hpp"
#include "cli/version.hpp"
#include "model/duration.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <limits>

// The only file that sees CLI11: it is slow to compile.
namespace pawl::cli {

namespace {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <class T>
CLI::Option* add_choice(
    CLI::App& app, const std::string& names, T& target, Choices<T> choices, std::string what
) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    const std::string type = fmt::format("{}", fmt::join(words, "|"));
    const auto set = [&target, choices, type, names](const std::string& text) {
        for (const auto& [word, value] : choices) {
            if (word != text) continue;
            target = value;
            return;
        }
        throw CLI::ValidationError(fmt::format("{} must be one of {}, not '{}'", names, type, text)
        );
    };
    return app.add_option_function<std::string>(names, set, what)->type_name(type);
}

// An option whose text is read by a function that returns a Result.
template <class T, class Read>
CLI::Option* add_parsed(
    CLI::App& app, const std::string& name, T& target, Read read, const std::string& what
) {
    const auto set = [&target, read, name](const std::string& text) {
        auto value = read(text);
        if (!value) throw CLI::ValidationError(name + ": " + value.error().message);
        target = *value;
    };
    return app.add_option_function<std::string>(name, set, what);
}

template <class T>
CLI::Option* add_number(
    CLI::App& app,
    const std::string& name,
    T& target,
    long long low,
    long long high,
    const std::string& what
) {
    const auto set = [&target, name, low, high](const std::string& text) {
        long long value = 0;
        if (!CLI::detail::lexical_cast(text, value) || value < low || value > high) {
            throw CLI::ValidationError(fmt::format(
                "{} must be a whole number from {} to {}, not '{}'", name, low, high, text
            ));
        }
        target = static_cast<T>(value);
    };
    return app.add_option_function<std::string>(name, set, what)->type_name("N");
}

Result<std::optional<Duration>> some_duration(const std::string& text) {
    const auto parsed = parse_duration(text);
    if (!parsed) return parsed.error();
    return std::optional<Duration>(*parsed);
}

class Parser {
public:
    Parser() {
        app_.name("pawl");
        app_.set_version_flag("--version", fmt::format("pawl {}", version));
        app_.require_subcommand(1);
        app_.fallthrough();
        app_.footer(help::all);
        add_globals();
        add_dev();
        add_worker();
        add_migrate();
        add_run();
        add_runs();
        add_workflows();
        add_bench();
        const char* doctor = "Check the database and say what to do";
        choose(command(app_, "doctor", doctor, help::doctor), doctor_);
        choose(command(app_, "version", "Print the version", ""), version_);
    }

    Parsed parse(int argc, char** argv) {
        if (argc < 2) {
            print_line(app_.help());
            return {};
        }
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) {
                app_.exit(error);
                return {};
            }
            globals_.output = guess_output(argc, argv);
            return {std::nullopt, refuse(error)};
        }
        std::visit([this](auto& options) { options.globals = globals_; }, *chosen_);
        return {std::move(chosen_), exit_ok};
    }

private:
    void add_globals();
    void add_dev();
    void add_worker();
    void add_migrate();
    void add_run();
    void add_runs();
    void add_workflows();
    void add_bench();

    CLI::App& command(CLI::App& parent, const char* name, const char* what, const char* examples) {
        CLI::App* made = parent.add_subcommand(name, what);
        made->fallthrough();
        if (*examples != '\0') made->footer(fmt::format("Examples:\n{}", examples));
        return *made;
    }
    // A command that does something, as opposed to one that only groups others.
    template <class Options>
    void choose(CLI::App& app, const Options& options) {
        app.callback([this, &options] { chosen_ = options; });
    }

    int refuse(const CLI::ParseError& error);

    CLI::App app_{"Durable workflows on PostgreSQL."};
    Globals globals_;
    DevOptions dev_;
    WorkerOptions worker_;
    MigrateOptions migrate_up_, migrate_status_, migrate_sql_;
    RunOptions run_;
    RunsListOptions runs_list_;
    RunsShowOptions runs_show_;
    RunsCancelOptions runs_cancel_;
    WorkflowsApplyOptions workflows_apply_;
    WorkflowsListOptions workflows_list_;
    WorkflowsShowOptions workflows_show_;
    BenchOptions bench_;
    BenchChildOptions bench_child_;
    DoctorOptions doctor_;
    VersionOptions version_;
    std::optional<Command> chosen_;
};

void Parser::add_globals() {
    app_.add_option("--database-url", globals_.database_url, "postgresql://user@host/database")
        ->type_name("URL");
    const Choices<OutputFormat> outputs{
        {"table", OutputFormat::table},
        {"json", OutputFormat::json},
        {"jsonl", OutputFormat::jsonl}};
    add_choice(app_, "-o,--output", globals_.output, outputs, "Form of the data on stdout");
    const Choices<bool> on_off{{"on", true}, {"off", false}};
    add_choice(
        app_, "--prepare", globals_.prepare, on_off, "Off behind a pooler in transaction mode"
    )
        ->envname("PAWL_PREPARE");
    const Choices<log::Format> formats{{"human", log::Format::human}, {"json", log::Format::json}};
    add_choice(app_, "--log-format", globals_.log_format, formats, "Form of the log on stderr")
        ->envname("PAWL_LOG_FORMAT");
    const Choices<log::Level> levels{
        {"debug", log::Level::debug},
        {"info", log::Level::info},
        {"warn", log::Level::warn},
        {"error", log::Level::error}};
    add_choice(app_, "--log-level", globals_.log_level, levels, "The least that is logged")
        ->envname("PAWL_LOG_LEVEL");
    app_.add_flag("--no-color", globals_.no_color, "No colours (also: NO_COLOR)");
    app_.add_flag("-q,--quiet", globals_.quiet, "No remarks on stderr, only errors");
}

void Parser::add_dev() {
    auto& app = command(app_, "dev", "Run everything here, with a private PostgreSQL", help::dev);
    auto* dir = app.add_option("--data-dir", dev_.data_dir, "Where everything is kept")
                    ->type_name("DIR")
                    ->capture_default_str();
    add_parsed(app, "--listen", dev_.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8080")
        ->envname("PAWL_LISTEN");
    app.add_option("--workflows", dev_.workflows, "Definitions to publish at the start")
        ->type_name("DIR")
        ->default_str("./workflows if it exists");
    app.add_option("--functions-url", dev_.functions_url, "Where 'function' steps are called")
        ->type_name("URL")
        ->envname("PAWL_FUNCTIONS_URL");
    app.add_flag(
           "--ephemeral", dev_.ephemeral, "Use a temporary directory and remove it at the end"
    )
        ->excludes(dir);
    choose(app, dev_);
}

void Parser::add_worker() {
    auto& app = command(app_, "worker", "Carry out runs of a database", help::worker);
    const auto listen = [this](const std::string& text) {
        worker_.serve_http = true;
        return parse_listen_address(text);
    };
    add_parsed(app, "--listen", worker_.listen, listen, "Serve /livez, /readyz and /metrics here")
        ->type_name("HOST:PORT")
        ->envname("PAWL_LISTEN");
    add_number(app, "--threads", worker_.threads, 1, 64, "Worker threads [1]");
    add_number(app, "--runs-max", worker_.runs_max, 1, 1'000'000, "Runs held at a time");
    app.add_option(
           "--functions-url",
           worker_.functions_url,
           "Where 'function' steps are called; the key comes from PAWL_FUNCTIONS_KEY"
    )
        ->type_name("URL")
        ->envname("PAWL_FUNCTIONS_URL");
    add_parsed(
        app,
        "--drain-timeout",
        worker_.drain_timeout,
        parse_duration,
        "How long a stop may wait for steps under way"
    )
        ->type_name("TIME")
        ->default_str("8s");
    const char* retention = "Drop weeks of closed runs older than this (90d); default: keep all";
    add_parsed(app, "--retention", worker_.retention, some_duration, retention)
        ->type_name("TIME")
        ->envname("PAWL_RETENTION");
    choose(app, worker_);
}

void Parser::add_migrate() {
    auto& app = command(app_, "migrate", "Make or update the tables", help::migrate);
    app.require_subcommand(1);
    migrate_up_.action = MigrateOptions::Action::up;
    migrate_status_.action = MigrateOptions::Action::status;
    migrate_sql_.action = MigrateOptions::Action::sql;
    choose(command(app, "up", "Apply what is missing", ""), migrate_up_);
    choose(command(app, "status", "List what is applied and what is pending", ""), migrate_status_);
    choose(command(app, "sql", "Print everything as one SQL script", ""), migrate_sql_);
}

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
    app.add_option("--correlation", run_.correlation, "Start at most one run for this key")
        ->type_name("KEY");
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
    auto& app = command(app_, "runs", "Look at runs, cancel them", "");
    app.require_subcommand(1);
    auto& list = command(app, "list", "Newest first", help::runs_list);
    list.add_option("--workflow", runs_list_.workflow, "Only of this workflow")->type_name("NAME");
    const std::vector<std::string> names{
        "queued", "waiting", "running", "completed", "failed", "cancelled"};
    Choices<std::string> statuses;
    for (const std::string& name : names) statuses.emplace_back(name, name);
    add_choice(list, "--status", runs_list_.status, statuses, "Only in this state");
    add_number(list, "--limit", runs_list_.limit, 1, 1000, "At most this many [50]");
    list.add_option("--before", runs_list_.before, "Only older than this run")->type_name("ID");
    choose(list, runs_list_);

    auto& show = command(app, "show", "One run and its log", help::runs_show);
    show.add_option("ID", runs_show_.id, "The run")->required()->type_name("");
    choose(show, runs_show_);

    auto& cancel =
        command(app, "cancel", "Ask a run to stop after the step under way", help::runs_cancel);
    cancel.add_option("ID", runs_cancel_.id, "The run")->required()->type_name("");
    cancel.add_option("--reason", runs_cancel_.reason, "Kept in the run's log")->type_name("TEXT");
    choose(cancel, runs_cancel_);
}

void Parser::add_workflows() {
    auto& app = command(app_, "workflows", "Publish and look at workflows", "");
    app.require_subcommand(1);
    auto& apply = command(
        app,
        "apply",
        "Publish definitions; the same definition again changes nothing",
        help::workflows_apply
    );
    apply
        .add_option(
            "-f,--file", workflows_apply_.files, "YAML or JSON file, folder, or - for stdin"
        )
        ->required()
        ->type_name("FILE");
    choose(apply, workflows_apply_);
    choose(command(app, "list", "All workflows", ""), workflows_list_);
    auto& show = command(app, "show", "One workflow and its steps", help::workflows_show);
    show.add_option("NAME", workflows_show_.name, "The workflow")->required()->type_name("");
    choose(show, workflows_show_);
}

void Parser::add_bench() {
    auto& app = command(app_, "bench", "Measure this machine and this database", help::bench);
    app.add_option("--workload", bench_.workloads, "Only this one; may be given several times")
        ->type_name("W");
    app.add_flag("--json", bench_.json, "One JSON object a line");
    add_number(app, "--seconds", bench_.seconds, 1, 3600, "How long the timed ones run [6]");
    add_number(app, "--parked-runs", bench_.parked_runs, 1000, 100'000'000, "[1000000]");
    add_number(app, "--history-events", bench_.history_events, 1000, 1'000'000'000, "[10000000]");
    choose(app, bench_);
    // The other process of the workloads that need two; not for people.
    auto& child = command(app_, "bench-child", "", "");
    child.group("");
    child.add_flag("--hang", bench_child_.hang, "");
    choose(child, bench_child_);
}

// Says what is wrong, and what was probably meant.
int Parser::refuse(const CLI::ParseError& error) {
    const CLI::App* at = &app_;
    std::string path = "pawl";
    while (!at->get_subcommands().empty()) {
        at = at->get_subcommands().front();
        path += " " + at->get_name();
    }
    std::vector<std::string> options;
    for (const CLI::App* app : {at, static_cast<const CLI::App*>(&app_)}) {
        for (const CLI::Option* option : app->get_options()) {
            for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
        }
    }
    std::vector<std::string> commands;
    for (const CLI::App* app : at->get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(app->get_name());
    }
    const auto rest = app_.remaining(true);
    std::string message = error.what();
    if (rest.empty() && !commands.empty() && error.get_name() == "RequiredError") {
        message = fmt::format("{}: say what: {}", path, fmt::join(commands, ", "));
    } else if (!rest.empty() && rest.front().starts_with("-")) {
        message = unknown("option", rest.front(), options);
    } else if (!rest.empty() && !commands.empty()) {
        message = unknown("command", rest.front(), commands);
    } else if (!rest.empty()) {
        message = fmt::format("unexpected argument '{}'", rest.front());
    }
    Error refused{Errc::invalid, message, {{"help", path + " --help"}}};
    return report(globals_, refused);
}

}  // namespace

Parsed parse_args(int argc, char** argv) {
    return Parser().parse(argc, argv);
}

}  // namespace pawl::cli
