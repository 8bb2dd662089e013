#pragma once

#include "base/json.hpp"

namespace pawl::api {

// The JSON Schema (draft 2020-12) of a definition, for editors: src/api/definition/*.yaml with a
// part for each of the node types. The reader of definitions is stricter: it also knows which node
// an edge may lead to.
const json::object& definition_schema();

}  // namespace pawl::api
