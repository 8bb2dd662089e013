#pragma once

#include "cli/parse/command_line.hpp"
#include "cli/parse/globals.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

// The commands of the program. Each is in a file of its own in this folder, which makes it known by
// a static object: its words, its page, its options, its action. All that has to know them walks
// this list: the parser, --help, the manual page, completion.
namespace pawl::cli {

struct Example {
    std::string_view line;
    std::string_view remark = {};
};

// What a command does once the command line is read. Returns the exit code; Failure is for main to
// report.
using CommandAction = std::function<int(const Globals&)>;

// A command, or a group of them, as the registry keeps it.
struct Command {
    std::string_view words;  // "runs list"
    int order = 0;           // its place among those beside it; files register in any order
    std::string_view what;
    std::vector<Example> examples = {};
    bool hidden = false;  // not for people
    // Adds its options. What it returns is called when the command was chosen and its options are
    // set; it throws WrongUse if they do not go together. None: it is a group.
    std::function<std::function<CommandAction()>(App&)> build = {};
};

// A group stands before its commands, all in their declared order.
const std::vector<Command>& commands();

void register_command(Command command);

// How a file describes its command. `Options` has a member `globals`, which is set before `run`.
template <class Options>
struct CommandSpec {
    std::string_view words = {};
    int order = 0;
    std::string_view what = {};
    std::vector<Example> examples = {};  // at least one, unless it is hidden: a test parses each
    bool hidden = false;
    void (*add)(App& app, Options& options) = nullptr;
    void (*check)(const Options& options) = nullptr;  // throws WrongUse
    int (*run)(const Options& options) = nullptr;
};

template <class Options>
class RegisterCommand {
public:
    explicit RegisterCommand(CommandSpec<Options> spec) {
        auto build = [add = spec.add, check = spec.check, run = spec.run](App& app) {
            auto options = std::make_shared<Options>();
            if (add != nullptr) add(app, *options);
            return [options, check, run]() -> CommandAction {
                if (check != nullptr) check(*options);
                return [options, run](const Globals& globals) {
                    options->globals = globals;
                    return run(*options);
                };
            };
        };
        register_command(
            {spec.words, spec.order, spec.what, std::move(spec.examples), spec.hidden, build}
        );
    }
};

// The first word of several commands. It stands in the file of one of them.
class RegisterGroup {
public:
    RegisterGroup(std::string_view word, int order, std::string_view what) {
        register_command({word, order, what});
    }
};

}  // namespace pawl::cli
