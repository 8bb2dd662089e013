#pragma once

#include "base/clock.hpp"
#include "cli/door/door.hpp"
#include "cli/terminal/globals.hpp"

#include <string>

namespace pawl::cli {

// Looks at a run until it has ended, tells of its steps on stderr, prints how it ended, and returns
// the exit code: 0 only when it completed. The door and the globals outlive the call.
asio::awaitable<int> wait_for_run(
    Door& door, const Globals& globals, Duration timeout, std::string id
);

}  // namespace pawl::cli
