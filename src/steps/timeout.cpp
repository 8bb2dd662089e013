#include "steps/timeout.hpp"

#include "base/spoken.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <exception>
#include <utility>

namespace pawl::steps {

asio::awaitable<StepOutcome> within(
    asio::any_io_executor executor, Duration limit, asio::awaitable<StepOutcome> work
) {
    asio::steady_timer timer(executor);
    timer.expires_after(limit);
    auto [order, error, outcome, timer_failed] =
        co_await asio::experimental::make_parallel_group(
            asio::co_spawn(executor, std::move(work), asio::deferred),
            timer.async_wait(asio::deferred)
        )
            .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    // The work may have ended in the same moment as its time: what it did counts.
    const bool in_time = order[0] == 0;
    if (in_time && error) std::rethrow_exception(error);
    if (in_time) co_return std::move(outcome);
    co_return timed_out(limit);
}

StepOutcome timed_out(Duration limit) {
    return failed(ErrorClass::retryable, "timeout", "did not end within " + human_duration(limit));
}

}  // namespace pawl::steps
