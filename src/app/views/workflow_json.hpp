#pragma once

#include "base/json.hpp"
#include "store/repos/version_store.hpp"
#include "store/store.hpp"

namespace pawl::app {

json::object to_json(const store::WorkflowVersion& workflow);
json::object to_json(const store::VersionChange& change);

}  // namespace pawl::app
