#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::api {

// The target of a request, taken apart: "/v1/runs/a%20b?limit=5".
struct Target {
    std::vector<std::string> segments;  // decoded: "v1", "runs", "a b"
    std::vector<std::pair<std::string, std::string>> query;

    // The first parameter called `name`.
    const std::string* find(std::string_view name) const;
};

// Refuses what is not an origin-form path, or holds bytes no name of ours can have.
Result<Target> parse_target(std::string_view text);

}  // namespace pawl::api
