#pragma once

#include "cli/door/door.hpp"

namespace pawl::cli {

// With the handlers of the API in this process, on the database and for the tenant that the globals
// name. The database has let us in, so everything is allowed.
int with_local_door(const Globals& globals, Vault vault, WithDoor command);

}  // namespace pawl::cli
