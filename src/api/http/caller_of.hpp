#pragma once

#include "api/http/api_call.hpp"
#include "app/caller.hpp"

namespace pawl::api {

// The caller of a use case: its identity, the door, the Idempotency-Key and the trace.
app::Caller caller_of(const Call& call);

// The person the caller acts for; throws Refused (403) when a person names another one.
std::string acting_for(const Call& call, const std::optional<std::string>& said);

}  // namespace pawl::api
