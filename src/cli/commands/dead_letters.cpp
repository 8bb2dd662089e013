#include "store/repos/dead_letters.hpp"

#include "cli/commands/list_view.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_ref.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pawl::cli {

namespace {

struct DeadLettersOptions {
    Globals globals;
    bool replay = false;            // else list
    bool all = false;               // replay all that match
    std::vector<std::string> runs;  // to replay; empty: all that match
    std::string workflow;
    std::string fingerprint;
    int limit = 50;
};

constexpr std::size_t at_once = 500;

Ask ask_for(const DeadLettersOptions& options) {
    return {
        "GET",
        {"dead-letters"},
        {{"workflow", options.workflow}, {"fingerprint", options.fingerprint}}};
}

TableRow row_of(const json::value& letter) {
    const json::value& error = value_member(letter, "error");
    // First, as the line is cut: something outside is left as it was.
    const std::string left = not_undone_line(error);
    const std::string why = left.empty() ? error_line(error) : left + "; " + error_line(error);
    return {
        member(letter, "run_id"),
        member(letter, "workflow"),
        member(letter, "step"),
        human_time_member(letter, "at"),
        member(letter, "fingerprint").substr(0, 12),
        Cell(shorten(why, 60), Color::red)};
}

asio::awaitable<int> list(Door& door, const DeadLettersOptions& options) {
    return print_list(
        door,
        options.globals,
        ask_for(options),
        static_cast<std::size_t>(options.limit),
        {{"RUN", "WORKFLOW", "STEP", "AT (UTC)", "FINGERPRINT", "ERROR"},
         row_of,
         "no run has given up",
         "replay one: pawl dead-letters replay RUN",
         options.workflow}
    );
}

// The runs that were asked for by id, or all that match.
asio::awaitable<Result<json::array>> chosen(Door& door, const DeadLettersOptions& options) {
    json::array runs;
    for (const std::string& text : options.runs) {
        const auto id = co_await find_run_id(door, text);
        if (!id) co_return id.error();
        runs.emplace_back(*id);
    }
    if (!runs.empty()) co_return runs;
    const auto page =
        co_await call_pages(door, ask_for(options), std::numeric_limits<std::size_t>::max());
    if (!page) co_return page.error();
    for (const json::value& letter : page->items) runs.emplace_back(member(letter, "run_id"));
    co_return runs;
}

asio::awaitable<int> replay(Door& door, const DeadLettersOptions& options) {
    const Globals& globals = options.globals;
    const auto runs = co_await chosen(door, options);
    if (!runs) co_return report(globals, runs.error());
    if (runs->empty()) {
        const auto unknown = co_await misspelt_workflow(door, options.workflow);
        if (unknown) co_return report(globals, *unknown);
    }
    Progress progress(globals, "replay");
    json::array items;
    std::vector<std::string> missing;
    for (std::size_t first = 0; first < runs->size(); first += at_once) {
        const std::size_t last = std::min(runs->size(), first + at_once);
        json::array batch(runs->begin() + first, runs->begin() + last);
        const json::object body{{"runs", std::move(batch)}};
        const auto done = co_await door.call({"POST", {"dead-letters", "replay"}, {}, body});
        if (!done) co_return report(globals, done.error());
        progress.end();
        for (const json::value& one : value_member(*done, "data").as_array()) {
            const std::string old = member(one, "run_id");
            const std::string fresh = member(one, "replayed_as");
            if (fresh.empty()) {
                missing.push_back(old);
                continue;
            }
            items.push_back(json::object{{"run", old}, {"replayed_as", fresh}});
            if (!globals.machine()) print_line(fresh);
        }
        std::fflush(stdout);
        progress.show(static_cast<std::int64_t>(last), static_cast<std::int64_t>(runs->size()));
    }
    progress.end();
    if (globals.machine()) print_json_list(globals, items);
    say(globals, fmt::format("{} replayed", items.size()));
    if (missing.empty()) co_return exit_ok;
    const std::string why = fmt::format("no failed or cancelled run: {}", fmt::join(missing, ", "));
    co_return report(globals, {Errc::not_found, why, {{"next", "pawl dead-letters list"}}});
}

int run_dead_letters(const DeadLettersOptions& given) {
    DeadLettersOptions options = given;
    if (!options.fingerprint.empty()) {
        auto prefix = store::fingerprint_prefix(options.fingerprint);
        if (!prefix) {
            const std::string why = "--fingerprint " + prefix.error().message;
            return report(options.globals, {Errc::invalid, why, {}});
        }
        options.fingerprint = std::move(*prefix);
    }
    for (const std::string& text : options.runs) {
        const auto fine = check_run_ref(text);
        if (!fine) return report(options.globals, fine.error());
    }
    return with_door(options.globals, [&](Door& door) {
        return options.replay ? replay(door, options) : list(door, options);
    });
}

void add_dead_letters_filter(App& app, DeadLettersOptions& options) {
    add_workflow_filter(app, options.workflow);
    const char* what = "Only this error: its first 6 digits or more";
    app.add_option("--fingerprint", options.fingerprint, what)->type_name("HEX");
}

void add_dead_letters_list(App& app, DeadLettersOptions& options) {
    add_dead_letters_filter(app, options);
    add_limit(app, options.limit);
}

void add_dead_letters_replay(App& app, DeadLettersOptions& options) {
    options.replay = true;
    auto* runs = app.add_option("RUN", options.runs, "The runs")->type_name("");
    add_dead_letters_filter(app, options);
    app.add_flag("--all", options.all, "All that match")->excludes(runs);
}

void check_dead_letters_replay(const DeadLettersOptions& options) {
    if (options.runs.empty() && !options.all) throw WrongUse("say which: RUN..., or --all");
}

const RegisterGroup dead_letters_group(
    "dead-letters", 90, "Runs that gave up: look at them, replay them"
);

const RegisterCommand<run_dead_letters, add_dead_letters_list> dead_letters_list_command(
    {"dead-letters list", 10, "Failed runs that were not replayed yet, newest first"},
    {{"pawl dead-letters list --workflow mail"}}
);

const RegisterCommand<run_dead_letters, add_dead_letters_replay, check_dead_letters_replay>
    dead_letters_replay_command(
        {"dead-letters replay", 20, "Continue at the failed step, as a new run"},
        {{"pawl dead-letters replay RUN"}, {"pawl dead-letters replay --all --workflow mail"}}
    );

}  // namespace

}  // namespace pawl::cli
