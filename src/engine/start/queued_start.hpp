#pragma once

#include "engine/start/start_request.hpp"
#include "store/repos/queues.hpp"

#include <optional>
#include <string>

namespace pawl::engine {

// What a message of a queue means for one workflow: a run to start, nothing, or why there is none.
struct QueuedStart {
    std::optional<StartRequest> start;
    std::string problem;
};

// Pure. A queue with triggers: the first trigger of the workflow whose filter holds counts, and
// templates see the message as they see the data of an event. A queue of one workflow: the message
// is the input. Otherwise the message is of the documents' kind: its context, data or trigger_data
// is the input; its correlation_id, or else its execution_id, makes the start happen once.
QueuedStart start_of(ProgramPtr program, const store::QueuedMessage& message);

// Why a message that leads to no workflow cannot start one.
std::string no_workflow(const store::QueuedMessage& message);

}  // namespace pawl::engine
