#pragma once

#include "base/ids.hpp"

namespace pawl::api {

// A new id, ordered by time.
Uuid fresh_id();

}  // namespace pawl::api
