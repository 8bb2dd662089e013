#pragma once

#include "model/definition.hpp"
#include "pawl/workflow.hpp"

namespace pawl::embed {

// The definition of a C++ workflow, as the database keeps it: its steps as nodes, no edges.
Result<Definition> definition_of(const Workflow& workflow);

}  // namespace pawl::embed
