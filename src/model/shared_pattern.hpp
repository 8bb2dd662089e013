#pragma once

#include "base/error.hpp"

#include <string_view>

namespace pawl {

// Whether RE2 and Postgres read a regular expression the same way, so that the engine and the
// database give one verdict: only what both have and mean alike is let through, and nothing that
// becomes too large for RE2. pawl.pattern_problem has the same rules and says the same.
Result<void> check_shared_pattern(std::string_view text);

}  // namespace pawl
