#include "cli/parse/args.hpp"

#include "cli/parse/footers.hpp"
#include "cli/parse/parse_refusal.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/version.hpp"

#include <map>
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

void add_globals(App& app, Globals& globals) {
    app.add_option("--database-url", globals.database_url, "postgresql://user@host/database")
        ->type_name("URL");
    app.add_option("--url", globals.url, "A Pawl server, instead of a database (PAWL_URL)")
        ->type_name("URL");
    app.add_option("--api-key", globals.api_key, "The key for it (PAWL_API_KEY)")->type_name("KEY");
    app.add_option("--tenant", globals.tenant, "Whose workflows, runs and keys")
        ->type_name("NAME")
        ->envname("PAWL_TENANT")
        ->capture_default_str();
    const Choices<OutputFormat> outputs{
        {"table", OutputFormat::table},
        {"json", OutputFormat::json},
        {"jsonl", OutputFormat::jsonl},
        {"yaml", OutputFormat::yaml}};
    add_choice(app, "-o,--output", globals.output, outputs, "Form of the data on stdout");
    const Choices<bool> on_off{{"on", true}, {"off", false}};
    add_choice(app, "--prepare", globals.prepare, on_off, "Off behind a pooler in transaction mode")
        ->envname("PAWL_PREPARE");
    const Choices<log::Format> formats{{"human", log::Format::human}, {"json", log::Format::json}};
    add_choice(app, "--log-format", globals.log_format, formats, "Form of the log on stderr")
        ->envname("PAWL_LOG_FORMAT");
    const Choices<bool> names{{"pawl", false}, {"document", true}};
    add_choice(app, "--log-names", globals.document_names, names, "Names of the fields in it")
        ->envname("PAWL_LOG_NAMES");
    const Choices<log::Level> levels{
        {"debug", log::Level::debug},
        {"info", log::Level::info},
        {"warn", log::Level::warn},
        {"error", log::Level::error}};
    add_choice(app, "--log-level", globals.log_level, levels, "The least that is logged")
        ->envname("PAWL_LOG_LEVEL");
    app.add_flag("--no-color", globals.no_color, "No colours (also: NO_COLOR)");
    app.add_flag("-q,--quiet", globals.quiet, "No remarks on stderr, only errors");
}

// The tree of commands, made of what is registered.
class Parser {
public:
    Parser();
    Parsed parse(int argc, char** argv);
    std::vector<std::string> names() const { return line_.commands(); }
    std::vector<CommandPage> pages() const { return line_.pages(); }

private:
    void add(const Command& command);

    CommandLine line_{"pawl", "Durable workflows on PostgreSQL.", std::string(version)};
    Globals globals_;
    std::map<std::string_view, App*> groups_;
    CommandAction chosen_;
};

Parser::Parser() {
    add_globals(line_.app(), globals_);
    for (const Command& command : commands()) add(command);
    line_.set_footers(footer_of_all(), footer_of);
}

void Parser::add(const Command& command) {
    const std::size_t space = command.words.find(' ');
    const bool alone = space == std::string_view::npos;
    App& parent = alone ? line_.app() : *groups_.at(command.words.substr(0, space));
    const std::string_view word = alone ? command.words : command.words.substr(space + 1);
    App& app = parent.add_subcommand(std::string(word), std::string(command.what));
    if (command.hidden()) app.group("");
    if (command.build) {
        app.callback([this, choose = command.build(app)] { chosen_ = choose(); });
    } else {
        app.require_subcommand(1);
        groups_.emplace(command.words, &app);
    }
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
    return {Invocation{globals_, std::move(chosen_)}, exit_ok};
}

}  // namespace

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
