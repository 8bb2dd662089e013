#pragma once

#include <string>

namespace pawl {

// What this machine calls itself; "unknown" if it does not say.
std::string host_name();

}  // namespace pawl
