#pragma once

#include "base/json.hpp"

namespace pawl::api {

// What a step can be: type, title, description and the JSON Schema of such a step
// (src/api/node_types/*.yaml).
const json::array& node_types();

}  // namespace pawl::api
