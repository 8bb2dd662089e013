#pragma once

#include "cli/door/door.hpp"
#include "cli/parse/options.hpp"

#include <string>

namespace pawl::cli {

// Looks at a run until it has ended, tells of its steps on stderr, prints how it ended, and returns
// the exit code: 0 only when it completed. The options outlive the call.
asio::awaitable<int> wait_for_run(Door& door, const RunOptions& options, std::string id);

}  // namespace pawl::cli
