#pragma once

#include "steps/step_request.hpp"
#include "store/repos/sql_steps.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// A `condition` that asks the database about the run's subject: all its queries in one transaction
// that can only read, then the whole of it. Result: {"result": true or false}. request.context has
// what the paths of the condition lead to, by path. `steps` outlives the call.
asio::awaitable<StepOutcome> ask_condition(store::SqlSteps& steps, StepRequest request);

}  // namespace pawl::steps
