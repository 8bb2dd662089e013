#pragma once

#include "api/http/api_call.hpp"
#include "base/ids.hpp"

#include <string_view>

namespace pawl::api {

// The id of the job that a call asks for. The same request with the same Idempotency-Key asks for
// the same job.
Uuid job_id(const Call& call, std::string_view kind);

}  // namespace pawl::api
