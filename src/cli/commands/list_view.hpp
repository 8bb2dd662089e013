#pragma once

#include "cli/door/door.hpp"
#include "cli/terminal/console.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// A list of the API, as the commands that list something show it.
struct ListView {
    std::vector<std::string> columns;
    TableRow (*row)(const json::value& item) = nullptr;
    std::string none;           // said when the list is empty
    std::string next = {};      // said below the table
    std::string workflow = {};  // the filter: an empty list for a misspelt name is an error
};

// Prints up to `limit` items and returns the exit code. `globals` must outlive the coroutine.
asio::awaitable<int> print_list(
    Door& door, const Globals& globals, Ask ask, std::size_t limit, ListView view
);

// The same of items that are all there.
int print_items(const Globals& globals, const json::array& items, const ListView& view);

// What was saved, one file after the other.
int print_saved(
    const Globals& globals, const json::array& items, const std::vector<TableRow>& rows
);

}  // namespace pawl::cli
