#pragma once

#include "steps/executor.hpp"

namespace pawl::steps {

// A `function` step: POST {functions_url}/{function} with {"action", "payload"}. It failed when the
// status is not 2xx or the answer says "success": false; its result is the answer's "data", or the
// whole answer. config: {function, action?, payload?, url?, headers?}. A step with its own url does
// not get the functions key: a workflow's author must not be able to send it elsewhere.
// The targets and the client outlive the call.
asio::awaitable<StepOutcome> call_function(
    CallTargets& targets, http::Client& client, StepSettings settings, StepRequest request
);

}  // namespace pawl::steps
