#include "cli/parse/command_line.hpp"

#include "cli/parse/parse_refusal.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pawl::cli {

namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t column = 26;

// "  --name TYPE          what it is for", with what does not fit in lines below.
std::string entry(const std::string& name, const std::string& what) {
    std::string out = "  " + name;
    std::size_t at = out.size();
    if (what.empty()) return out + "\n";
    if (at + 2 > column) {
        out += "\n";
        at = 0;
    }
    std::size_t begin = 0;
    bool first = true;
    while (begin < what.size()) {
        const std::size_t end = std::min(what.find(' ', begin), what.size());
        const std::string word = what.substr(begin, end - begin);
        if (!first && at + 1 + word.size() > page_width) {
            out += "\n";
            at = 0;
            first = true;
        }
        if (first) {
            out += std::string(column - at, ' ');
            at = column;
        } else {
            out += " ";
            ++at;
        }
        out += word;
        at += word.size();
        first = false;
        begin = end + 1;
    }
    return out + "\n";
}

// CLI11 writes every description on one line, however long it is, and variables of the environment
// between an option and what it is for.
class Page : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string name) const override {
        return "\n" + CLI::Formatter::make_usage(app, std::move(name));
    }

    std::string make_option(const CLI::Option* option, bool positional) const override {
        std::string name = make_option_name(option, positional);
        if (!option->get_type_name().empty()) name += " " + option->get_type_name();
        std::string what = option->get_description();
        const auto add = [&what](const std::string& more) {
            if (!what.empty()) what += " ";
            what += more;
        };
        if (!option->get_default_str().empty()) add("[" + option->get_default_str() + "]");
        if (option->get_required() && !positional) add("(required)");
        if (!option->get_envname().empty()) add("(env: " + option->get_envname() + ")");
        return entry(name, what);
    }

    std::string make_subcommand(const CLI::App* app) const override {
        return entry(app->get_name(), app->get_description());
    }
};

// What CLI11 says about the number of values, as a sentence.
std::string plainly(const std::string& said) {
    const std::size_t colon = said.find(": ");
    if (colon == std::string::npos) return said;
    const std::string name = said.substr(0, colon);
    const std::string rest = said.substr(colon + 2);
    if (rest.starts_with("At Most 1 required")) return name + " may be given only once";
    constexpr std::string_view needs = "1 required ", missing = " missing";
    if (!rest.starts_with(needs) || !rest.ends_with(missing)) return said;
    const std::size_t length = rest.size() - needs.size() - missing.size();
    return fmt::format("{} needs a value: {}", name, rest.substr(needs.size(), length));
}

// Every command below `app`, with its words.
template <class Visit>
void walk(CLI::App& app, const std::string& before, Visit visit) {
    for (CLI::App* one : app.get_subcommands([](CLI::App*) { return true; })) {
        const std::string words = before.empty() ? one->get_name() : before + " " + one->get_name();
        visit(*one, words);
        walk(*one, words, visit);
    }
}

OptionPage page_of(const CLI::Option& option) {
    OptionPage page;
    page.argument = option.get_positional() && !option.nonpositional();
    if (page.argument) {
        page.names.push_back(option.get_name(true));
    } else {
        for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
    }
    page.takes_value = page.argument || option.get_items_expected_max() > 0;
    page.type = page.takes_value ? option.get_type_name() : "";
    page.what = option.get_description();
    page.usual = option.get_default_str();
    page.env = option.get_envname();
    page.required = option.get_required();
    return page;
}

CommandPage page_of(const CLI::App& app, const std::string& words) {
    CommandPage page;
    page.words = words;
    page.what = app.get_description();
    page.footer = app.get_footer();
    page.group = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
    for (const CLI::Option* option : app.get_options()) page.options.push_back(page_of(*option));
    return page;
}

}  // namespace

Option* Option::required() {
    raw_.required();
    return this;
}

Option* Option::type_name(const std::string& name) {
    raw_.type_name(name);
    return this;
}

Option* Option::envname(const std::string& variable) {
    raw_.envname(variable);
    return this;
}

Option* Option::default_str(const std::string& text) {
    raw_.default_str(text);
    return this;
}

Option* Option::capture_default_str() {
    raw_.capture_default_str();
    return this;
}

Option* Option::delimiter(char between) {
    raw_.delimiter(between);
    return this;
}

Option* Option::allow_extra_args(bool allowed) {
    raw_.allow_extra_args(allowed);
    return this;
}

Option* Option::excludes(const Option* other) {
    raw_.excludes(&other->raw_);
    return this;
}

Option* Option::needs(const Option* other) {
    raw_.needs(&other->raw_);
    return this;
}

App& App::add_subcommand(const std::string& name, const std::string& what) {
    CLI::App* made = raw_.add_subcommand(name, what);
    made->fallthrough();
    made->group("Commands");
    return *commands_.emplace_back(std::make_unique<App>(*made));
}

void App::require_subcommand(int count) {
    raw_.require_subcommand(count);
}

void App::group(const std::string& name) {
    raw_.group(name);
}

void App::callback(std::function<void()> done) {
    raw_.callback(std::move(done));
}

Option* App::keep(CLI::Option* made) {
    return &options_.emplace_back(*made);
}

Option* App::add_option(const std::string& names, std::string& target, const std::string& what) {
    return keep(raw_.add_option(names, target, what));
}

Option* App::add_option(
    const std::string& names, std::vector<std::string>& target, const std::string& what
) {
    return keep(raw_.add_option(names, target, what));
}

Option* App::add_option_function(
    const std::string& names, std::function<void(const std::string&)> set, const std::string& what
) {
    return keep(raw_.add_option_function<std::string>(names, std::move(set), what));
}

Option* App::add_flag(const std::string& names, bool& target, const std::string& what) {
    return keep(raw_.add_flag(names, target, what));
}

CommandLine::CommandLine(
    const std::string& name, const std::string& what, const std::string& version
)
    : raw_(std::make_unique<CLI::App>(what, name)), app_(std::make_unique<App>(*raw_)) {
    raw_->set_version_flag("--version", fmt::format("{} {}", name, version));
    raw_->set_help_flag("-h,--help", "Show this page");
    raw_->get_option("--version")->description("Print the version");
    auto page = std::make_shared<Page>();
    page->label("SUBCOMMAND", "COMMAND");
    page->label("Subcommands", "Commands");
    page->label("Positionals", "Arguments");
    raw_->formatter(page);
    raw_->require_subcommand(1);
    raw_->fallthrough();
}

CommandLine::~CommandLine() = default;

void CommandLine::set_footers(const std::string& first, std::string (*of)(std::string_view)) {
    raw_->footer(first);
    walk(*raw_, "", [of](CLI::App& app, const std::string& words) { app.footer(of(words)); });
}

std::vector<std::string> CommandLine::commands() const {
    std::vector<std::string> all;
    walk(*raw_, "", [&all](const CLI::App& app, const std::string& words) {
        const bool hidden = app.get_group().empty();
        const bool group = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
        if (!hidden && !group) all.push_back(words);
    });
    return all;
}

std::vector<CommandPage> CommandLine::pages() const {
    std::vector<CommandPage> all{page_of(*raw_, "")};
    walk(*raw_, "", [&all](const CLI::App& app, const std::string& words) {
        if (!app.get_group().empty()) all.push_back(page_of(app, words));
    });
    return all;
}

CommandLine::Outcome CommandLine::parse(std::vector<std::string> words, std::optional<Error>& why) {
    std::reverse(words.begin(), words.end());  // as CLI11 wants it
    try {
        raw_->parse(std::move(words));
        return Outcome::chosen;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            raw_->exit(error);
            return Outcome::answered;
        }
        why = explain(error.what(), error.get_name() == "RequiredError");
    } catch (const WrongUse& error) {
        why = explain(error.what(), false);
    }
    return Outcome::refused;
}

Error CommandLine::explain(const std::string& said, bool missing) const {
    const CLI::App* at = raw_.get();
    std::string path = raw_->get_name();
    while (!at->get_subcommands().empty()) {
        at = at->get_subcommands().front();
        path += " " + at->get_name();
    }
    std::vector<std::string> options;
    for (const CLI::App* app : {at, static_cast<const CLI::App*>(raw_.get())}) {
        for (const CLI::Option* option : app->get_options()) {
            for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
        }
    }
    std::vector<std::string> commands;
    for (const CLI::App* app : at->get_subcommands([](const CLI::App*) { return true; })) {
        if (!app->get_group().empty()) commands.push_back(app->get_name());
    }
    const auto rest = raw_->remaining(true);
    std::string message = plainly(said);
    if (rest.empty() && !commands.empty() && missing) {
        message = fmt::format("{}: say what: {}", path, fmt::join(commands, ", "));
    } else if (!rest.empty() && rest.front().starts_with("-")) {
        message = unknown("option", rest.front(), options);
    } else if (!rest.empty() && !commands.empty()) {
        message = unknown("command", rest.front(), commands);
    } else if (!rest.empty()) {
        message = fmt::format("unexpected argument '{}'", rest.front());
    }
    return {Errc::invalid, message, {{"help", path + " --help"}}};
}

}  // namespace pawl::cli
