#pragma once

#include "cli/api_flags.hpp"
#include "host/api_host.hpp"

#include <string_view>

namespace pawl::cli {

// Throws Failure when a flag cannot be meant. The secret of HS256 tokens comes from PAWL_JWT_SECRET
// or the file PAWL_JWT_SECRET_FILE, never from the command line.
host::ApiOptions api_options(const ApiFlags& flags);

// 127.0.0.0/8, ::1 and localhost: nobody else's machine.
bool is_loopback_host(std::string_view host);

}  // namespace pawl::cli
