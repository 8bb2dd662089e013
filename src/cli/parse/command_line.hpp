#pragma once

#include "base/error.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

// CLI11 behind plain functions, named as it names them: it is slow to compile (ten seconds a file),
// and so only command_line.cpp pays for it.
namespace pawl::cli {

// What a callback throws when the words are there and do not go together.
struct WrongUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What the page of a command says about an option or an argument.
struct OptionPage {
    std::vector<std::string> names;  // "-o", "--output"; of an argument its name: "ID"
    std::string type;                // "JSON|@FILE|-"; empty: it takes no value, or says nothing
    std::string what;
    std::string usual;  // its default
    std::string env;
    bool argument = false;
    bool required = false;
    bool takes_value = false;
};

// The page of a command, or of the program as a whole.
struct CommandPage {
    std::string words;  // "runs list"; empty: the program
    std::string what;
    std::string footer;
    bool group = false;  // it only holds others
    std::vector<OptionPage> options;
};

class Option {
public:
    explicit Option(CLI::Option& raw) : raw_(raw) {}
    Option* required();
    Option* type_name(const std::string& name);
    Option* envname(const std::string& variable);
    Option* default_str(const std::string& text);
    Option* capture_default_str();
    Option* delimiter(char between);
    Option* allow_extra_args(bool allowed);
    Option* excludes(const Option* other);
    Option* needs(const Option* other);

private:
    CLI::Option& raw_;
};

class App {
public:
    explicit App(CLI::App& raw) : raw_(raw) {}

    // Options of its parents may stand behind it.
    App& add_subcommand(const std::string& name, const std::string& what);
    void require_subcommand(int count);
    void group(const std::string& name);
    void callback(std::function<void()> done);

    Option* add_option(const std::string& names, std::string& target, const std::string& what);
    Option* add_option(
        const std::string& names, std::vector<std::string>& target, const std::string& what
    );
    Option* add_option_function(
        const std::string& names,
        std::function<void(const std::string&)> set,
        const std::string& what
    );
    Option* add_flag(const std::string& names, bool& target, const std::string& what);

private:
    Option* keep(CLI::Option* made);

    CLI::App& raw_;
    std::deque<Option> options_;
    std::vector<std::unique_ptr<App>> commands_;
};

class CommandLine {
public:
    CommandLine(const std::string& name, const std::string& what, const std::string& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    App& app() { return *app_; }
    // What stands at the end of the pages; `of` gets the words of a command: "runs list".
    void set_footers(const std::string& first, std::string (*of)(std::string_view));
    // The words of every command that does something; hidden ones are left out.
    std::vector<std::string> commands() const;
    // The program itself, then every command, groups among them; hidden ones are left out.
    std::vector<CommandPage> pages() const;
    enum class Outcome { chosen, answered, refused };  // answered: --help, --version
    // What was wrong, and what was probably meant, is in `why`.
    Outcome parse(std::vector<std::string> words, std::optional<Error>& why);

private:
    Error explain(const std::string& message, bool missing) const;

    std::unique_ptr<CLI::App> raw_;
    std::unique_ptr<App> app_;
};

}  // namespace pawl::cli
