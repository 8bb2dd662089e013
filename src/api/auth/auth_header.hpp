#pragma once

#include "base/error.hpp"
#include "http/message.hpp"

#include <string>

namespace pawl::api {

// What a request brings to prove who makes it: `Authorization: Bearer X`, or `apikey: X` as
// Supabase clients send it, when there is no usable Authorization. Errc::unauthenticated when there
// is neither.
Result<std::string> credential_of(const http::Headers& headers);

}  // namespace pawl::api
