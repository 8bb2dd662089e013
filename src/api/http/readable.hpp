#pragma once

#include "api/http/api_call.hpp"

namespace pawl::api {

// Throws Refused (400, with the place) for a path, a parameter or a header that handlers read and
// that is not UTF-8: no name, key or id can be that, and the database takes nothing else.
void refuse_unreadable(const Call& call);

}  // namespace pawl::api
