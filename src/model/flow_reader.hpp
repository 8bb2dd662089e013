#pragma once

#include "model/definition.hpp"
#include "model/fields.hpp"

namespace pawl {

// The config of a node that the planner deals with, and of the steps that came with graphs.
boost::json::object read_flow_config(NodeType type, Fields& fields);

// What stands beside the graph: reentry, exit_on, triggers.
void read_entries(Fields& fields, Definition& definition);

// The limits of a workflow's runs.
FlowControl read_flow_control(Fields& fields);

// A condition as JSON, checked; null when absent. Templates may stand in its values.
boost::json::value read_condition(Fields& fields, std::string_view key);
// The same on an event that a wait or exit_on is for: its paths are names of the event.
boost::json::value read_event_filter(Fields& fields, std::string_view key);

}  // namespace pawl
