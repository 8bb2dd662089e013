#pragma once

#include "jq/jq_pool.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// A `transform` step: the first output of the jq program config.jq for config.input; null when
// there is no output. Numbers are doubles.
// A program always does the same with the same input, so its errors are permanent: "jq" (it raised
// one, does not compile, or made jq crash), "timeout", "out_of_memory" and "too_large". The pool
// outlives the call.
asio::awaitable<StepOutcome> transform(jq::Pool& pool, StepRequest request);

}  // namespace pawl::steps
