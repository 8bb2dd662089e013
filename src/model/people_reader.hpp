#pragma once

#include "model/flow_config.hpp"

namespace pawl {

// The config of a step that asks people.
void read_human(FlowConfig& config);

}  // namespace pawl
