#pragma once

#include "cli/parse/command_line.hpp"
#include "cli/terminal/globals.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// The commands of the program. Each is in a file of its own in commands/, which makes it known by
// a static object: its words, its page, its options, its action. The parser, --help, the manual
// page and completion walk this list.
namespace pawl::cli {

struct Example {
    std::string_view line;
    std::string_view remark = {};
};

// What a command does once the command line is read. Returns the exit code; Failure is for main to
// report.
using CommandAction = std::function<int(const Globals&)>;

// What the first page says about a command.
struct CommandHead {
    std::string_view words;      // "runs list"
    int order = 0;               // its place among those beside it; files register in any order
    std::string_view what = {};  // empty: the command is hidden

    bool hidden() const { return what.empty(); }
};

// A command, or a group of them, as the registry keeps it.
struct Command : CommandHead {
    std::vector<Example> examples = {};  // at least one, unless it is hidden: a test parses each
    // Adds its options. What it returns is called when the command was chosen and its options are
    // set; it throws WrongUse if they do not go together. None: it is a group.
    std::function<std::function<CommandAction()>(App&)> build = {};
};

// A group stands before its commands, all in their declared order.
const std::vector<Command>& commands();

void register_command(Command command);

// The functions of a command. `Options` is Globals, or has a member `globals`; it is set before
// `run`.
template <class Options>
struct CommandFunctions {
    int (*run)(const Options& options) = nullptr;
    void (*add)(App& app, Options& options) = nullptr;  // may be none
    void (*check)(const Options& options) = nullptr;    // throws WrongUse; may be none

    std::function<CommandAction()> build(App& app) const {
        auto options = std::make_shared<Options>();
        if (add != nullptr) add(app, *options);
        return [options, *this]() -> CommandAction {
            if (check != nullptr) check(*options);
            return [options, run = run](const Globals& globals) {
                if constexpr (std::is_same_v<Options, Globals>) {
                    *options = globals;
                } else {
                    options->globals = globals;
                }
                return run(*options);
            };
        };
    }
};

template <class Options>
Options options_of(int (*run)(const Options&));  // only its type is used

// Makes a command known: RegisterCommand<run_it, add_its_options, check_them> x({...}, {...}).
template <auto run, auto add = nullptr, auto check = nullptr>
class RegisterCommand {
public:
    explicit RegisterCommand(CommandHead head, std::vector<Example> examples = {}) {
        const CommandFunctions<decltype(options_of(run))> functions{run, add, check};
        register_command({head, std::move(examples), [functions](App& app) {
                              return functions.build(app);
                          }});
    }
};

// The first word of several commands. It stands in the file of one of them.
class RegisterGroup {
public:
    RegisterGroup(std::string_view word, int order, std::string_view what) {
        register_command({{word, order, what}});
    }
};

}  // namespace pawl::cli
