#include "cli/commands/commands.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

constexpr std::size_t list_max = 1000;

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

TableRow row_of(const json::value& limit) {
    const json::value& set = value_member(limit, "set");
    const auto waiting = number_member(limit, "waiting");
    return {
        or_dash(member(limit, "workflow")),
        member(limit, "scope"),
        member(limit, "name"),
        or_dash(member(limit, "key")),
        std::to_string(number_member(limit, "limit")),
        set.is_null() ? Cell("defined")
                      : Cell(fmt::format("set to {}", compact(set)), Color::yellow),
        std::to_string(number_member(limit, "running")),
        Cell(std::to_string(waiting), waiting > 0 ? Color::yellow : Color::none)};
}

asio::awaitable<int> list(Door& door, const LimitsOptions& options) {
    const auto page =
        co_await call_pages(door, {"GET", {"limits"}, {{"workflow", options.workflow}}}, list_max);
    if (!page) co_return report(options.globals, page.error());
    if (page->items.empty()) {
        const auto unknown = co_await misspelt_workflow(door, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, page->items);
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const json::value& one : page->items) rows.push_back(row_of(one));
    if (rows.empty()) {
        say(options.globals, "no run is under a limit now, and none was set");
        co_return exit_ok;
    }
    print_table(
        options.globals,
        {"WORKFLOW", "SCOPE", "NAME", "KEY", "LIMIT", "", "RUNNING", "WAITING"},
        rows
    );
    co_return exit_ok;
}

asio::awaitable<int> change(Door& door, const LimitsOptions& options, bool set) {
    if (auto unknown = co_await misspelt_workflow(door, options.workflow)) {
        co_return report(options.globals, *unknown);
    }
    json::object body{{"name", options.name}, {"limit", nullptr}};
    if (set) body["limit"] = options.limit;
    if (!options.workflow.empty()) body["workflow"] = options.workflow;
    if (!options.key.empty()) body["key"] = options.key;
    const auto answer = co_await door.call({"POST", {"limits"}, {}, std::move(body)});
    if (!answer) {
        co_return report(options.globals, Error(answer.error()).with("next", "pawl limits list"));
    }
    if (options.globals.machine()) print_json(options.globals, *answer);
    const std::string what = options.key.empty() ? "" : fmt::format(" for '{}'", options.key);
    say(options.globals,
        set ? fmt::format("{}{} is {} from now on", options.name, what, options.limit)
            : fmt::format("{}{} is what the definition says", options.name, what));
    co_return exit_ok;
}

}  // namespace

int run_limits(const LimitsOptions& options) {
    for (const auto& [flag, text] : {std::pair{"NAME", options.name}, {"--key", options.key}}) {
        if (auto fine = check_text(flag, text, 200); !fine) {
            return report(options.globals, fine.error());
        }
    }
    if (options.name.find('/') != std::string::npos) {
        return report(
            options.globals, {Errc::invalid, "the name of a limit has no slash in it", {}}
        );
    }
    return with_door(options.globals, [&](Door& door) {
        if (options.action == LimitsOptions::Action::list) return list(door, options);
        return change(door, options, options.action == LimitsOptions::Action::set);
    });
}

}  // namespace pawl::cli
