#pragma once

#include "api/http/api_call.hpp"

#include <string>

namespace pawl::api {

// The etag in If-Match, without its quotes; empty: there is none. Throws Refused (400).
std::string seen_by(const Call& call);

}  // namespace pawl::api
