#pragma once

#include "base/json.hpp"
#include "store/repos/human_tasks.hpp"

namespace pawl::app {

json::object to_json(const store::HumanTask& task);
json::object to_json(const store::TaskDecision& decision);

}  // namespace pawl::app
