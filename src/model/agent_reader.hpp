#pragma once

#include "model/flow_config.hpp"

namespace pawl {

// The config of an agent: which model is asked, what it is told, what it may see and do, and what
// it must answer. `credential: NAME` becomes a header, and a list under `sees` a map of templates.
void read_agent(FlowConfig& config);

}  // namespace pawl
