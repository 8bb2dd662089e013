#pragma once

#include <string_view>

namespace pawl {

// MAJOR.MINOR.PATCH, with -PRERELEASE and +BUILD if need be, as https://semver.org has it; 100
// characters at most.
bool is_semantic_version(std::string_view text);

}  // namespace pawl
