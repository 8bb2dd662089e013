#pragma once

#include "base/json.hpp"

namespace pawl::api {

// The description of this API (src/api/openapi/*.yaml) as JSON; read once.
const json::object& openapi();

}  // namespace pawl::api
