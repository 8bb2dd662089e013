#pragma once

#include "model/definition.hpp"
#include "model/flow_config.hpp"

#include <string_view>

namespace pawl {

// What a message may say, by itself or in a template.
inline constexpr std::string_view message_content_keys[] = {
    "text", "subject", "html", "messages", "title", "body", "data"};

// The configs of nodes that are about a person.
void read_message(FlowConfig& config);
void read_split(FlowConfig& config);

// Whether a workflow with such a node is about a person.
bool concerns_person(NodeType type);
// What is wrong with a node that reads what is known of the person; empty: nothing. Those that the
// planner deals with are executed too, if they do: a worker reads the person.
std::string person_problem(const Node& node);
// Whether the condition of an edge does. The planner alone looks at those.
bool names_person(const Edge& edge);
// Notes whether the workflow is about a person, and which of its nodes read what is known of them.
void note_person(Definition& definition);

}  // namespace pawl
