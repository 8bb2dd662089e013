#pragma once

#include "base/error.hpp"

#include <string>

namespace pawl::steps {

// What a run may tell of a failure of the engine's own database: never where that is, or who logs
// in there. Logs whatever it leaves out.
std::string failure_text(const Failure& failure);

}  // namespace pawl::steps
