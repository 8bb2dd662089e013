#pragma once

#include "cli/door/door.hpp"

namespace pawl::cli {

// With the server that --url or PAWL_URL names and the key of --api-key or PAWL_API_KEY.
int with_http_door(const Globals& globals, WithDoor command);

}  // namespace pawl::cli
