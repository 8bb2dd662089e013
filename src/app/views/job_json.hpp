#pragma once

#include "base/json.hpp"
#include "store/repos/jobs.hpp"

namespace pawl::app {

json::object to_json(const store::Job& job);

}  // namespace pawl::app
