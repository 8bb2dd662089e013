#pragma once

#include "base/ids.hpp"

namespace pawl {

// A new id, ordered by time.
Uuid fresh_id();

}  // namespace pawl
