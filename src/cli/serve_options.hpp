#pragma once

#include "cli/version.hpp"
#include "host/serve.hpp"

#include <cstdlib>
#include <string>

namespace pawl::cli {

// What `pawl worker` and `pawl dev` have in common. The key is a secret and so comes from the
// environment, never from the command line that everybody can read.
inline host::ServeOptions serve_options(
    const pg::ConnectOptions& connect, const std::string& functions_url
) {
    host::ServeOptions serve;
    serve.connect = connect;
    serve.version = version;
    serve.functions_url = functions_url;
    if (const char* key = std::getenv("PAWL_FUNCTIONS_KEY")) serve.functions_key = key;
    return serve;
}

}  // namespace pawl::cli
