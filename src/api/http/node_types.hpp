#pragma once

#include "base/json.hpp"

namespace pawl::api {

// What a step can be: type, title, description and the JSON Schema of such a step
// (src/api/node_types/*.yaml).
const json::array& node_types();

// The schemas of the keys that a step of any type may have.
json::object common_node_keys();

}  // namespace pawl::api
