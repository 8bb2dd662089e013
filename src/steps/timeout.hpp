#pragma once

#include "steps/step_request.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace pawl::steps {

namespace asio = boost::asio;

// Runs `work` and cancels it when the time is over, then with a retryable error "timeout". Returns
// after the work has ended, so nothing of it is left behind. Cancelling this cancels the work.
asio::awaitable<StepOutcome> within(
    asio::any_io_executor executor, Duration limit, asio::awaitable<StepOutcome> work
);

// What it is then.
StepOutcome timed_out(Duration limit);

}  // namespace pawl::steps
