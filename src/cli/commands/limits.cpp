#include "cli/commands/list_view.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct LimitsOptions {
    enum class Action { list, set, clear };
    Globals globals;
    Action action = Action::list;
    std::string workflow;  // empty: shared
    std::string name;
    std::string key;  // empty: every key
    std::int32_t limit = 0;
};

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

asio::awaitable<int> list_limits(Door& door, const LimitsOptions& options) {
    return print_list(
        door,
        options.globals,
        {"GET", {"limits"}, {{"workflow", options.workflow}}},
        list_max,
        {{"WORKFLOW", "SCOPE", "NAME", "KEY", "LIMIT", "", "RUNNING", "WAITING"},
         row_of,
         "no run is under a limit now, and none was set",
         "",
         options.workflow}
    );
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
        if (options.action == LimitsOptions::Action::list) return list_limits(door, options);
        return change(door, options, options.action == LimitsOptions::Action::set);
    });
}

template <LimitsOptions::Action action>
void add_limit_name(App& app, LimitsOptions& options) {
    options.action = action;
    add_argument(app, "NAME", options.name, "As in the definition, or concurrency, or rate");
    app.add_option("--workflow", options.workflow, "Whose it is [workflows share it]")
        ->type_name("NAME");
    app.add_option("--key", options.key, "Only for this key [every key]")->type_name("TEXT");
}

void add_limits_list(App& app, LimitsOptions& options) {
    add_workflow_filter(app, options.workflow);
}

void add_limits_set(App& app, LimitsOptions& options) {
    add_limit_name<LimitsOptions::Action::set>(app, options);
    add_number(app, "LIMIT", options.limit, 0, 1'000'000, "How many")->required()->type_name("");
}

const RegisterGroup limits_group(
    "limits", 110, "How many runs may be under way at once: list, change"
);

const RegisterCommand<run_limits, add_limits_list> limits_list_command(
    {"limits list", 10, "The limits that apply now, and those that were set"},
    {{"pawl limits list --workflow mail"}}
);

const RegisterCommand<run_limits, add_limits_set> limits_set_command(
    {"limits set", 20, "Set a limit, which overrides that of the definition"},
    {{"pawl limits set concurrency 20 --workflow mail"},
     {"pawl limits set concurrency 1 --workflow mail --key customer-7"},
     {"pawl limits set provider 0", "one that workflows share; none may begin"}}
);

const RegisterCommand<run_limits, add_limit_name<LimitsOptions::Action::clear>>
    limits_clear_command(
        {"limits clear", 30, "Remove it: the limit of the definition applies again"},
        {{"pawl limits clear concurrency --workflow mail"}}
    );

}  // namespace

}  // namespace pawl::cli
