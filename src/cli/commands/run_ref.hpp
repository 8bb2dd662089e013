#pragma once

#include "cli/door/door.hpp"
#include "cli/parse/command_line.hpp"

#include <functional>
#include <string>
#include <utility>

namespace pawl::cli {

// A run as a person names it: its id, or eight characters or more of its beginning or its end.
Result<void> check_run_ref(const std::string& text);

// The whole id. A part is looked for at the time that a beginning tells, an end among the newest
// runs; several that fit are an error that lists them.
asio::awaitable<Result<std::string>> find_run_id(Door& door, std::string text);

// Runs a command about one run.
using WithRun = std::function<asio::awaitable<int>(Door&, std::string id)>;
int with_run(const Globals& globals, const std::string& ref, WithRun command);

// The options of a command that takes a run and nothing else.
struct RunRefOptions {
    Globals globals;
    std::string id;
};
void add_run_ref(App& app, RunRefOptions& options);

template <asio::awaitable<int> (*act)(Door&, const Globals&, std::string id)>
int run_on_run(const RunRefOptions& options) {
    return with_run(options.globals, options.id, [&](Door& door, std::string id) {
        return act(door, options.globals, std::move(id));
    });
}

}  // namespace pawl::cli
