#pragma once

#include "steps/step_request.hpp"
#include "store/repos/sql_steps.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// Whether a condition has queries, which ask_condition runs.
bool asks_tables(const StepRequest& request);

// What a condition comes to, with the answers to its queries. request.context has what its paths
// lead to, by path. Result: {"result": true or false}.
StepOutcome judge_condition(const StepRequest& request, const std::vector<bool>& answers = {});

// A `condition` that asks the database about the run's subject: all its queries in one transaction
// that can only read, then the whole of it. Result: {"result": true or false}. request.context has
// what the paths of the condition lead to, by path. `steps` outlives the call.
asio::awaitable<StepOutcome> ask_condition(store::SqlSteps& steps, StepRequest request);

}  // namespace pawl::steps
