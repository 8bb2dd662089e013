#include "base/terminal.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace pawl::cli {

namespace {

struct RunsRerunOptions {
    Globals globals;
    bool rerun = false;  // else retry
    std::string id;
    std::string from;  // of a rerun: the step to begin with; empty: the first
    std::string data;  // of a rerun: JSON, @file, or - for stdin; empty: what it had
    bool yes = false;  // of a rerun: also in a version that is retired
};

// Asks the person at the terminal; where there is none, the answer is no.
bool agreed(const std::string& question) {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) return false;
    std::cerr << for_terminal(question) << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

// Whether --yes would make a difference.
bool asks_to_confirm(const Error& error) {
    return std::any_of(error.context.begin(), error.context.end(), [](const auto& one) {
        return one.first == "next" && one.second.starts_with("say --yes");
    });
}

int announce(
    const Globals& globals, const std::string& old, const std::string& id, const std::string& what
) {
    if (globals.machine()) {
        print_json(globals, json::object{{"id", id}, {"parent", old}});
        return exit_ok;
    }
    print_line(id);
    say(globals, fmt::format("{}; see how it goes: pawl runs show {}", what, id));
    return exit_ok;
}

Error with_hint(Error error, const std::string& id) {
    if (asks_to_confirm(error)) return error;
    if (error.code == Errc::not_found) return std::move(error).with("next", "pawl runs list");
    if (error.code != Errc::conflict) return error;
    return std::move(error).with("next", "pawl runs why " + id);
}

asio::awaitable<int> retry(Door& door, const Globals& globals, std::string id) {
    const auto retried = co_await door.call({"POST", {"runs", id, "retry"}});
    if (!retried) co_return report(globals, with_hint(retried.error(), id));
    const bool created = value_member(*retried, "created").as_bool();
    const char* what = created ? "it goes on as a new run" : "it was retried before, as this run";
    co_return announce(globals, id, member(*retried, "id"), what);
}

std::string what_was_done(const RunsRerunOptions& options, const json::value& made) {
    if (!value_member(made, "created").as_bool()) return "there is such a run already";
    if (options.from.empty()) return "it is done again";
    std::string what = "it begins at that step, as a new run";
    const json::value* released = find(made, "released");
    if (released == nullptr) return what;
    std::vector<std::string> steps;
    for (const json::value& step : released->as_array()) steps.emplace_back(step.as_string());
    if (steps.empty()) return what;
    return what + fmt::format("; undone since, and not done again: {}", fmt::join(steps, ", "));
}

asio::awaitable<int> rerun(
    Door& door, const RunsRerunOptions& options, std::string id, json::value input
) {
    json::object body;
    if (!options.from.empty()) body["from"] = options.from;
    if (!input.is_null()) body["data"] = std::move(input);
    if (options.yes) body["confirm"] = true;
    auto made = co_await door.call({"POST", {"runs", id, "rerun"}, {}, body});
    if (!made && asks_to_confirm(made.error()) &&
        agreed(made.error().message + "; begin a run in it all the same?")) {
        body["confirm"] = true;
        made = co_await door.call({"POST", {"runs", id, "rerun"}, {}, std::move(body)});
    }
    if (!made) co_return report(options.globals, with_hint(made.error(), id));
    co_return announce(options.globals, id, member(*made, "id"), what_was_done(options, *made));
}

int run_runs_rerun(const RunsRerunOptions& options) {
    if (auto fine = check_text("--from", options.from, 100); !fine) {
        return report(options.globals, fine.error());
    }
    const auto input = read_input(options.data);
    if (!input) return report(options.globals, input.error());
    return with_run(options.globals, options.id, [&](Door& door, std::string id) {
        return options.rerun ? rerun(door, options, std::move(id), *input)
                             : retry(door, options.globals, std::move(id));
    });
}

void add_runs_retry(App& app, RunsRerunOptions& options) {
    add_run_id(app, options.id);
}

const RegisterCommand<run_runs_rerun, add_runs_retry> runs_retry_command(
    {"runs retry", 40, "Continue where a run failed, as a new run"}, {{"pawl runs retry ID"}}
);

void add_runs_rerun(App& app, RunsRerunOptions& options) {
    options.rerun = true;
    add_run_id(app, options.id);
    app.add_option("--from", options.from, "Begin at this step, in the run's own version")
        ->type_name("STEP");
    add_json(app, "--data", options.data, "Another input: JSON, @file, or - for stdin");
    app.add_flag("--yes", options.yes, "Also in a version that is retired");
}

const RegisterCommand<run_runs_rerun, add_runs_rerun> runs_rerun_command(
    {"runs rerun", 50, "Do a run again, as a new run"},
    {{"pawl runs rerun ID"}, {"pawl runs rerun ID --from charge --data '{\"amount\": 12}'"}}
);

}  // namespace

}  // namespace pawl::cli
