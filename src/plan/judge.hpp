#pragma once

#include "model/condition.hpp"

#include <optional>
#include <string>

namespace pawl::plan {

// What a condition comes to. A name that stands for nothing makes it neither true nor false, unless
// it is asked whether it exists: "undefined" says which.
struct Judgement {
    std::optional<bool> holds;
    std::string undefined;
};
Judgement judge(const Condition& condition, const PathLookup& lookup);

}  // namespace pawl::plan
