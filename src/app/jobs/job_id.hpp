#pragma once

#include "app/caller.hpp"
#include "base/ids.hpp"

#include <string_view>

namespace pawl::app {

// The id of the job that a caller asks for. The same request with the same key asks for the same
// job.
Uuid job_id(const Caller& caller, std::string_view kind);

}  // namespace pawl::app
