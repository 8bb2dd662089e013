#include "cli/commands/list_view.hpp"

#include "cli/commands/names.hpp"

namespace pawl::cli {

asio::awaitable<int> print_list(
    Door& door, const Globals& globals, Ask ask, std::size_t limit, ListView view
) {
    const auto page = co_await call_pages(door, std::move(ask), limit);
    if (!page) co_return report(globals, page.error());
    if (page->items.empty()) {
        const auto unknown = co_await misspelt_workflow(door, view.workflow);
        if (unknown) co_return report(globals, *unknown);
    }
    co_return print_items(globals, page->items, view);
}

int print_items(const Globals& globals, const json::array& items, const ListView& view) {
    if (globals.machine()) {
        print_json_list(globals, items);
        return exit_ok;
    }
    if (items.empty()) {
        say(globals, view.none);
        return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const json::value& item : items) rows.push_back(view.row(item));
    print_table(globals, view.columns, rows);
    if (!view.next.empty()) say(globals, view.next);
    return exit_ok;
}

int print_saved(
    const Globals& globals, const json::array& items, const std::vector<TableRow>& rows
) {
    if (globals.machine()) {
        print_json_list(globals, items);
    } else {
        print_details(globals, rows);
    }
    return exit_ok;
}

}  // namespace pawl::cli
