#include "cli/commands/versions.hpp"

#include "cli/commands/diff_view.hpp"
#include "cli/commands/list_view.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "model/definition.hpp"

#include <fmt/core.h>

#include <limits>

namespace pawl::cli {

namespace {

constexpr int history_max = 100;

Cell state_of(const json::value& version, std::int64_t head) {
    const bool retired = !value_member(version, "retired_at").is_null();
    const bool off = !value_member(version, "switched_off").is_null();
    if (value_member(version, "draft").as_bool()) return Cell("draft", Color::yellow);
    if (retired && number_member(version, "open_runs") > 0) return Cell("draining", Color::yellow);
    if (retired) return Cell("retired", Color::dim);
    if (off && number_member(version, "version") == head) return Cell("off", Color::red);
    if (value_member(version, "active").as_bool()) return Cell("active", Color::green);
    return Cell("");
}

std::string share_of(const json::value& version) {
    for (const json::value& one : value_member(version, "canary").as_array()) {
        if (number_member(one, "version") != number_member(version, "version")) continue;
        return fmt::format("{:g}%", value_member(one, "share").to_number<double>());
    }
    return "";
}

asio::awaitable<int> act(Door& door, const VersionsOptions& options) {
    using Action = VersionsOptions::Action;
    VersionsDesk desk{door, options};
    // A workflow may have versions and no head: drafts only, or it was deleted.
    Ask any = desk.ask("GET", {"versions"});
    any.query.emplace_back("limit", "1");
    const auto found = co_await door.call(std::move(any));
    if (!found) {
        Error error = found.error();
        if (error.code == Errc::not_found) error = co_await unknown_workflow(door, options.name);
        co_return report(options.globals, error);
    }
    switch (options.action) {
        case Action::list: co_return co_await list_versions(desk);
        case Action::history: co_return co_await list_history(desk);
        case Action::diff: co_return co_await diff_versions(desk);
        case Action::impact:
        case Action::migrate: co_return co_await migrate_versions(desk);
        case Action::rollback: co_return co_await rollback_version(desk);
        default: co_return co_await change_versions(desk);
    }
}

}  // namespace

Ask VersionsDesk::ask(std::string method, std::vector<std::string> rest) const {
    Ask made{std::move(method), {"workflows", options.name}};
    made.path.insert(made.path.end(), rest.begin(), rest.end());
    return made;
}

int VersionsDesk::refused(Error error) const {
    std::string mistakes;  // in --map, as they were written
    for (const std::string& pair : options.map) {
        const std::string place = "/map/" + pair.substr(0, pair.find('='));
        for (const auto& [where, what] : error.context) {
            if (where != place) continue;
            mistakes += fmt::format("{}--map {}: {}", mistakes.empty() ? "" : "\n", pair, what);
        }
    }
    if (!mistakes.empty()) return report(options.globals, {error.code, mistakes, {}});
    if (error.code == Errc::not_found) {
        error = std::move(error).with("next", "pawl versions list " + options.name);
    }
    return report(options.globals, error);
}

asio::awaitable<int> list_versions(VersionsDesk& desk) {
    const Globals& globals = desk.options.globals;
    const auto page = co_await call_pages(
        desk.door, desk.ask("GET", {"versions"}), std::numeric_limits<std::size_t>::max()
    );
    if (!page) co_return desk.refused(page.error());
    if (globals.machine()) {
        print_json_list(globals, page->items);
        co_return exit_ok;
    }
    const auto head = co_await desk.door.call(desk.ask("GET", {}));
    const std::int64_t head_version = head ? number_member(*head, "version") : 0;
    std::vector<TableRow> rows;
    for (const json::value& version : page->items) {
        const std::string label = member(version, "label");
        rows.push_back(
            {std::to_string(number_member(version, "version")),
             label.empty() ? "-" : label,
             state_of(version, head_version),
             share_of(version),
             std::to_string(number_member(version, "open_runs")),
             human_time_member(version, "created_at")}
        );
    }
    print_table(
        globals, {"VERSION", "LABEL", "STATE", "SHARE", "OPEN RUNS", "CREATED (UTC)"}, rows
    );
    const json::value& off = value_member(page->items.front(), "switched_off");
    if (off.is_string()) {
        say(globals, "the workflow is switched off: " + printable(off.get_string()));
    }
    co_return exit_ok;
}

TableRow change_row(const json::value& change) {
    const json::value& detail = value_member(change, "detail");
    return {
        human_time_member(change, "at"),
        member(change, "action"),
        std::to_string(number_member(change, "version")),
        shorten(member(change, "by"), 30),
        detail.is_null() ? "" : compact(detail)};
}

asio::awaitable<int> list_history(VersionsDesk& desk) {
    const Globals& globals = desk.options.globals;
    Ask ask = desk.ask("GET", {"changes"});
    ask.query.emplace_back("limit", std::to_string(history_max));
    const auto answer = co_await desk.door.call(std::move(ask));
    if (!answer) co_return desk.refused(answer.error());
    const ListView view{{"AT (UTC)", "WHAT", "VERSION", "BY", ""}, change_row, "no changes"};
    co_return print_items(globals, value_member(*answer, "data").as_array(), view);
}

asio::awaitable<int> diff_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    std::vector<Definition> definitions;
    std::vector<std::int64_t> numbers;
    for (const std::string& written : {options.version, options.other}) {
        const auto version = co_await desk.door.call(desk.ask("GET", {"versions", written}));
        if (!version) co_return desk.refused(version.error());
        auto definition = definition_from_json(value_member(*version, "definition"));
        if (!definition) co_return report(options.globals, definition.error());
        numbers.push_back(number_member(*version, "version"));
        definitions.push_back(std::move(*definition));
    }
    const DefinitionDiff found = diff(definitions[0], definitions[1]);
    if (options.globals.machine()) {
        print_json(
            options.globals,
            json::object{{"from", numbers[0]}, {"to", numbers[1]}, {"diff", to_json(found)}}
        );
    } else if (found.empty()) {
        say(options.globals, "they are the same");
    } else {
        print_diff(
            options.globals,
            fmt::format("{} v{} → v{}", options.name, numbers[0], numbers[1]),
            found
        );
    }
    co_return found.empty() ? exit_ok : exit_error;
}

asio::awaitable<int> call_and_list(VersionsDesk& desk, Ask ask) {
    const auto done = co_await desk.door.call(std::move(ask));
    if (!done) co_return desk.refused(done.error());
    co_return co_await list_versions(desk);
}

void add_version(App& app, std::string& version, const char* what) {
    add_argument(app, "VERSION", version, what);
}

int run_versions(const VersionsOptions& options) {
    return with_door(options.globals, [&](Door& door) { return act(door, options); });
}

namespace {

const RegisterGroup versions_group(
    "versions", 140, "Versions of a workflow: try them, migrate runs, roll back"
);

const RegisterCommand<run_versions, add_versions<VersionsOptions::Action::list>>
    versions_list_command(
        {"versions list", 10, "The versions of a workflow, and how many runs use them"},
        {{"pawl versions list order"}}
    );

const RegisterCommand<run_versions, add_versions<VersionsOptions::Action::history>>
    versions_history_command(
        {"versions history", 20, "What was done to the versions, and when"},
        {{"pawl versions history order"}}
    );

void add_versions_diff(App& app, VersionsOptions& options) {
    add_versions<VersionsOptions::Action::diff>(app, options);
    add_version(app, options.version, "The first");
    add_argument(app, "OTHER", options.other, "The second");
}

const RegisterCommand<run_versions, add_versions_diff> versions_diff_command(
    {"versions diff", 30, "Compare two versions; exit code 1 if they differ"},
    {{"pawl versions diff order 1.2.0 1.3.0"}}
);

}  // namespace

}  // namespace pawl::cli
