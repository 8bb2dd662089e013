#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

#include <limits>

namespace pawl::cli {

namespace {

asio::awaitable<int> list(Door& door, const Globals& globals) {
    const auto page =
        co_await call_pages(door, {"GET", {"workflows"}}, std::numeric_limits<std::size_t>::max());
    if (!page) co_return report(globals, page.error());
    json::array items;
    std::vector<TableRow> rows;
    for (const json::value& workflow : page->items) {
        if (!value_member(workflow, "active").as_bool()) continue;
        const std::string description = member(value_member(workflow, "definition"), "description");
        const auto version = number_member(workflow, "version");
        json::object item;
        item["name"] = member(workflow, "name");
        item["version"] = version;
        item["description"] = description;
        item["created_at"] = member(workflow, "created_at");
        item["owner"] = value_member(workflow, "owner");
        item["changed_by"] = value_member(workflow, "changed_by");
        item["changed_at"] = value_member(workflow, "changed_at");
        items.push_back(std::move(item));
        rows.push_back(
            {member(workflow, "name"),
             fmt::format("v{}", version),
             human_time_member(workflow, "created_at"),
             shorten(member(workflow, "changed_by"), 30),
             shorten(member(workflow, "owner"), 30),
             shorten(description, 70)}
        );
    }
    if (rows.empty()) say(globals, "no workflows; publish one: pawl workflows apply -f FILE");
    if (globals.machine()) {
        print_json_list(globals, items);
    } else if (!rows.empty()) {
        print_table(
            globals,
            {"NAME", "VERSION", "PUBLISHED (UTC)", "CHANGED BY", "OWNER", "DESCRIPTION"},
            rows
        );
    }
    co_return exit_ok;
}

int run_workflows_list(const Globals& globals) {
    return with_door(globals, [&](Door& door) { return list(door, globals); });
}

const RegisterCommand<run_workflows_list> workflows_list_command(
    {"workflows list", 20, "All workflows"}, {{"pawl workflows list"}}
);

}  // namespace

}  // namespace pawl::cli
