#pragma once

#include "cli/parse/worker_flags.hpp"
#include "cli/terminal/globals.hpp"
#include "host/serve.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// What `pawl worker`, `serve` and `dev` have in common. The key is a secret and so comes from the
// environment, never from the command line that everybody can read.
host::ServeOptions serve_options(
    const pg::ConnectOptions& connect, const std::string& functions_url
);

// What is allowed usually, and what the flags add. Throws when one of them cannot be read.
http::Outbound outbound(http::Outbound usual, const std::vector<std::string>& allow);

// The same with the flags of a worker; looks up the tenants that its functions file names.
host::ServeOptions worker_options(
    const Globals& globals, const pg::ConnectOptions& connect, const WorkerFlags& flags
);

}  // namespace pawl::cli
