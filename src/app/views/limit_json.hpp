#pragma once

#include "base/json.hpp"
#include "store/repos/limits.hpp"

namespace pawl::app {

json::object to_json(const store::FlowLimit& limit);
// One that was just set.
json::object to_json(const store::FlowLimitName& name, std::optional<std::int32_t> number);

}  // namespace pawl::app
