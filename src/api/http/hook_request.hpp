#pragma once

#include "api/http/api_call.hpp"
#include "connect/signature.hpp"

#include <string>

namespace pawl::api {

// The call of a provider, for its signature to be checked. Takes headers and body out of the call.
connect::HookRequest hook_request(const std::string& public_url, Call& call);

}  // namespace pawl::api
