#pragma once

#include "base/rng.hpp"
#include "model/definition.hpp"

#include <string>

namespace pawl::sim {

// A line of one to five steps and waits with policies of all sorts.
Definition random_workflow(Rng& rng, std::string name);

}  // namespace pawl::sim
