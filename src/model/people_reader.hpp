#pragma once

#include "model/flow_config.hpp"

namespace pawl {

// The config of a step that asks people.
void read_human(FlowConfig& config);
// The same but for its title: whom, by when, and what they fill in.
void read_asked(FlowConfig& config);

}  // namespace pawl
