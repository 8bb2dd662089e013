#include "cli/command_line.hpp"

#include "cli/refusal.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

namespace pawl::cli {

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
    return *commands_.emplace_back(std::make_unique<App>(*made));
}

void App::require_subcommand(int count) {
    raw_.require_subcommand(count);
}

void App::footer(const std::string& text) {
    raw_.footer(text);
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

Option* App::get_option(const std::string& name) {
    return keep(raw_.get_option(name));
}

CommandLine::CommandLine(
    const std::string& name, const std::string& what, const std::string& version
)
    : raw_(std::make_unique<CLI::App>(what, name)), app_(std::make_unique<App>(*raw_)) {
    raw_->set_version_flag("--version", fmt::format("{} {}", name, version));
    raw_->require_subcommand(1);
    raw_->fallthrough();
}

CommandLine::~CommandLine() = default;

std::string CommandLine::help() const {
    return raw_->help();
}

CommandLine::Outcome CommandLine::parse(int argc, char** argv, std::optional<Error>& why) {
    try {
        raw_->parse(argc, argv);
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
        commands.push_back(app->get_name());
    }
    const auto rest = raw_->remaining(true);
    std::string message = said;
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
