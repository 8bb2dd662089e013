#pragma once

#include "cli/door/door.hpp"

#include <optional>
#include <string>

namespace pawl::cli {

// "there is no workflow named 'helo', did you mean 'hello'?"
asio::awaitable<Error> unknown_workflow(Door& door, std::string name);
// The same as a question, for a list that is empty: a misspelt name should not look like a workflow
// without any. Nothing: there is one of that name, or none was asked for.
asio::awaitable<std::optional<Error>> misspelt_workflow(Door& door, std::string name);

}  // namespace pawl::cli
