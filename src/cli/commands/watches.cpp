#include "cli/commands/list_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace pawl::cli {

namespace {

std::string joined(const json::value& list) {
    std::vector<std::string_view> words;
    for (const json::value& one : list.as_array()) words.emplace_back(one.get_string());
    return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

TableRow row_of(const json::value& watch) {
    const std::string subject = member(watch, "subject_column");
    const std::string problem = member(watch, "problem");
    return {
        printable(member(watch, "table")),
        printable(member(watch, "event")),
        joined(value_member(watch, "operations")),
        subject.empty() ? "-" : printable(subject),
        printable(joined(value_member(watch, "workflows"))),
        Cell(problem.empty() ? "-" : printable(problem), Color::red)};
}

asio::awaitable<int> list(Door& door, const Globals& globals) {
    return print_list(
        door,
        globals,
        {"GET", {"watches"}},
        std::numeric_limits<std::size_t>::max(),
        {{"TABLE", "EVENT", "CHANGES", "SUBJECT", "WORKFLOWS", "PROBLEM"},
         row_of,
         "no table is watched; select pawl.watch_table('public.orders') watches one"}
    );
}

int run_watches_list(const Globals& globals) {
    return with_door(globals, [&](Door& door) { return list(door, globals); });
}

const RegisterGroup watches_group("watches", 105, "Tables whose changes become events");

const RegisterCommand<run_watches_list> watches_list_command(
    {"watches list", 10, "The watched tables, and the workflows that use their changes"},
    {{"pawl watches list"}}
);

}  // namespace

}  // namespace pawl::cli
