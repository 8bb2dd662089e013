#pragma once

#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>

namespace pawl::steps {

namespace asio = boost::asio;

// How tools are carried out: as the steps of these types are.
struct AgentTools {
    using Carry = std::function<asio::awaitable<StepOutcome>(StepRequest request)>;
    Carry http;  // the model itself is asked by it too
    Carry sql;
    Carry action;
};

// One turn of an `agent` step: asks the model once, or calls one tool that it asked for. The
// outcome is a turn (`advances`) as long as the model has not answered what the config wants; then
// {answer, decision?, model, usage}. Turns that are in the log are not repeated: request.turns has
// them, and each tool call has an idempotency key of its own. Errors of a tool are told to the
// model; only those that pass by themselves are tried again.
asio::awaitable<StepOutcome> take_agent_turn(AgentTools tools, StepRequest request);

}  // namespace pawl::steps
