#pragma once

#include "base/error.hpp"

#include <string>

namespace pawl::cli {

// What to do about a check that the database refused, by what the database said; `usual` where that
// does not tell.
std::string advice(const Failure& failure, const std::string& usual);

}  // namespace pawl::cli
