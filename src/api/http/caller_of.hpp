#pragma once

#include "api/http/api_call.hpp"
#include "app/caller.hpp"

namespace pawl::api {

// On whose behalf a call acts: who is asking, through which door, with which Idempotency-Key and
// trace.
app::Caller caller_of(const Call& call);

// For whom the caller acts; throws Refused (403) when that is another person.
std::string acting_for(const Call& call, const std::optional<std::string>& said);

}  // namespace pawl::api
