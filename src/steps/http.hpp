#pragma once

#include "http/client.hpp"
#include "steps/step.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// An `http` step: any call. config: {url, method?, headers?, body?, expect_status?}. A body that is
// text is sent as it is, anything else as JSON. Result: {status, headers, body}, the body parsed
// when the peer says it is JSON. expect_status (a number or a list) names the statuses that are
// success; without it any 2xx is. The client outlives the call.
asio::awaitable<StepOutcome> call_http(http::Client& client, StepRequest request);

}  // namespace pawl::steps
