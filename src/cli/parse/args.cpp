#include "cli/parse/args.hpp"

#include "cli/commands/examples.hpp"
#include "cli/commands/version.hpp"
#include "cli/parse/args_parser.hpp"
#include "cli/parse/parse_refusal.hpp"
#include "cli/terminal/console.hpp"

#include <set>

namespace pawl::cli {

namespace {

// The first word that leads to no command, with those that do.
std::optional<Error> misspelt(
    const std::vector<std::string>& commands, const std::vector<std::string>& words
) {
    std::string path;
    for (const std::string& word : words) {
        if (word.starts_with("-")) continue;
        std::set<std::string> known;
        for (const std::string& command : commands) {
            if (!command.starts_with(path)) continue;
            const std::string rest = command.substr(path.size());
            known.insert(rest.substr(0, rest.find(' ')));
        }
        if (!known.contains(word)) {
            const std::vector<std::string> list(known.begin(), known.end());
            return Error{Errc::invalid, unknown("command", word, list), {{"help", "pawl --help"}}};
        }
        path += word + " ";
    }
    return std::nullopt;
}

}  // namespace

Parser::Parser() : line_("pawl", "Durable workflows on PostgreSQL.", std::string(version)) {
    add_globals();
    add_dev();
    add_worker();
    add_serve();
    add_migrate();
    add_run();
    add_runs();
    add_events();
    add_tasks();
    add_dead_letters();
    add_schedules();
    add_limits();
    add_jobs();
    add_workflows();
    add_versions();
    add_test();
    add_simulate();
    add_new();
    add_keys();
    add_tenants();
    add_credentials();
    add_webhooks();
    add_bench();
    add_doctor();
    add_shell();
    choose(command(app_, "version", "Print the version"), version_);
    // What follows it is read before the rest (parse); it is here to be seen.
    command(app_, "help", "Show the page of a command").callback([] {
        throw WrongUse("say it first: pawl help COMMAND");
    });
    line_.set_footers(footer_of_all(), footer_of);
}

Parsed Parser::parse(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) words = {"--help"};
    // `pawl help runs list` is `pawl runs list --help`.
    if (words.front() == "help") {
        words.erase(words.begin());
        // --help alone would show the page of what stands before a wrong word.
        if (const auto wrong = misspelt(line_.commands(), words)) {
            globals_.output = guess_output(argc, argv);
            return {std::nullopt, report(globals_, *wrong)};
        }
        words.emplace_back("--help");
    }
    std::optional<Error> wrong;
    switch (line_.parse(std::move(words), wrong)) {
        case CommandLine::Outcome::answered: return {};
        case CommandLine::Outcome::refused:
            globals_.output = guess_output(argc, argv);
            return {std::nullopt, report(globals_, *wrong)};
        case CommandLine::Outcome::chosen: break;
    }
    std::visit([this](auto& options) { options.globals = globals_; }, *chosen_);
    return {std::move(chosen_), exit_ok};
}

void Parser::add_globals() {
    app_.add_option("--database-url", globals_.database_url, "postgresql://user@host/database")
        ->type_name("URL");
    app_.add_option("--url", globals_.url, "A Pawl server, instead of a database (PAWL_URL)")
        ->type_name("URL");
    app_.add_option("--api-key", globals_.api_key, "The key for it (PAWL_API_KEY)")
        ->type_name("KEY");
    app_.add_option("--tenant", globals_.tenant, "Whose workflows, runs and keys")
        ->type_name("NAME")
        ->envname("PAWL_TENANT")
        ->capture_default_str();
    const Choices<OutputFormat> outputs{
        {"table", OutputFormat::table},
        {"json", OutputFormat::json},
        {"jsonl", OutputFormat::jsonl},
        {"yaml", OutputFormat::yaml}};
    add_choice(app_, "-o,--output", globals_.output, outputs, "Form of the data on stdout");
    const Choices<bool> on_off{{"on", true}, {"off", false}};
    add_choice(
        app_, "--prepare", globals_.prepare, on_off, "Off behind a pooler in transaction mode"
    )
        ->envname("PAWL_PREPARE");
    const Choices<log::Format> formats{{"human", log::Format::human}, {"json", log::Format::json}};
    add_choice(app_, "--log-format", globals_.log_format, formats, "Form of the log on stderr")
        ->envname("PAWL_LOG_FORMAT");
    const Choices<bool> names{{"pawl", false}, {"document", true}};
    add_choice(app_, "--log-names", globals_.document_names, names, "Names of the fields in it")
        ->envname("PAWL_LOG_NAMES");
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

void Parser::add_doctor() {
    const char* what = "Check the database and say what to do";
    auto& app = command(app_, "doctor", what);
    add_parsed(
        app, "--patience", doctor_.patience, parse_duration, "What is stuck when it takes longer"
    )
        ->type_name("TIME")
        ->default_str("5m");
    app.add_option("--skip", doctor_.skip, "Leave a check out")->type_name("CHECK");
    app.add_flag("--strict", doctor_.strict, "Exit with 1 for warnings too");
    app.add_flag("--repair", doctor_.repair, "Remove what is open of runs that are closed");
    choose(app, doctor_);
}

void Parser::add_migrate() {
    auto& app = command(app_, "migrate", "Make or update the tables");
    app.require_subcommand(1);
    migrate_up_.action = MigrateOptions::Action::up;
    migrate_status_.action = MigrateOptions::Action::status;
    migrate_sql_.action = MigrateOptions::Action::sql;
    choose(command(app, "up", "Apply what is missing"), migrate_up_);
    choose(command(app, "status", "List what is applied and what is pending"), migrate_status_);
    choose(command(app, "sql", "Print everything as one SQL script"), migrate_sql_);
}

void Parser::add_bench() {
    auto& app = command(app_, "bench", "Measure this machine and this database");
    app.add_option("WORKLOAD,--workload", bench_.workloads, "Only these; all without any")
        ->type_name("W");
    app.add_flag("--json", bench_.json, "One JSON object a line");
    app.add_flag("--yes", bench_.yes, "Really fill the database of --database-url");
    add_number(app, "--seconds", bench_.seconds, 1, 3600, "How long the timed ones run [6]");
    add_number(app, "--parked-runs", bench_.parked_runs, 1000, 100'000'000, "[1000000]");
    add_number(app, "--migrate-runs", bench_.migrate_runs, 100, 1'000'000, "[100000]");
    add_number(app, "--history-events", bench_.history_events, 1000, 1'000'000'000, "[10000000]");
    choose(app, bench_);
    // The other process of the workloads that need two; not for people.
    auto& child = command(app_, "bench-child", "");
    child.group("");
    child.add_flag("--hang", bench_child_.hang, "");
    choose(child, bench_child_);
}

void Parser::add_shell() {
    choose(command(app_, "schema", "Print the JSON Schema of definitions, for editors"), schema_);
    auto& completion = command(app_, "completion", "Print what makes a shell complete commands");
    completion.add_option("SHELL", completion_.shell, "bash, zsh or fish")
        ->required()
        ->type_name("bash|zsh|fish");
    choose(completion, completion_);
    choose(command(app_, "man", "Print the manual page pawl(1)"), man_);
    // What the scripts of `completion` call; not for people.
    auto& complete = command(app_, "complete", "");
    complete.group("");
    complete.add_option("WORDS", complete_.words, "");
    choose(complete, complete_);
}

Parsed parse_args(int argc, char** argv) {
    return Parser().parse(argc, argv);
}

std::vector<CommandPage> command_pages() {
    return Parser().pages();
}

std::vector<std::string> command_names() {
    return Parser().names();
}

}  // namespace pawl::cli
