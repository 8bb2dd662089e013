#pragma once

#include "cli/parse/api_flags.hpp"
#include "host/api_host.hpp"

namespace pawl::cli {

// Throws Failure when a flag cannot be meant. The secret of HS256 tokens comes from PAWL_JWT_SECRET
// or the file PAWL_JWT_SECRET_FILE, never from the command line.
// Without a slash at the end. Throws Failure when it is no path that can be written into a page.
std::string checked_base_path(std::string path);

host::ApiOptions api_options(const ApiFlags& flags);

}  // namespace pawl::cli
