#pragma once

#include "http/client.hpp"
#include "steps/call_targets.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// An `http` step: any call. config: {url, method?, headers?, body?, expect_status?,
// follow_redirects?}. A body that is
// text is sent as it is, anything else as JSON. Result: {status, headers, body}, the body parsed
// when the peer says it is JSON. expect_status (a number or a list) names the statuses that are
// success; without it any 2xx is. The targets and the client outlive the call.
asio::awaitable<StepOutcome> call_http(
    CallTargets& targets, http::Client& client, StepRequest request
);

}  // namespace pawl::steps
