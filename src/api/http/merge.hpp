#pragma once

#include "base/json.hpp"

namespace pawl::api {

// Objects are merged member by member and lists are joined; anything else is replaced.
void merge(json::object& into, const json::object& from);

}  // namespace pawl::api
