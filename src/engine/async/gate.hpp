#pragma once

#include "base/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::engine {

namespace asio = boost::asio;

// One coroutine waits at a gate until another opens it. The gate stays open until then, so no
// opening is missed.
class Gate {
public:
    explicit Gate(const asio::any_io_executor& executor) : timer_(executor) {}

    void open() {
        open_ = true;
        timer_.cancel();
    }

    // Returns when opened, or at `until`.
    asio::awaitable<void> wait(Steady::time_point until = Steady::time_point::max()) {
        if (!open_) {
            timer_.expires_at(until);
            boost::system::error_code opened;
            co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, opened));
        }
        open_ = false;
    }

    asio::any_io_executor executor() { return timer_.get_executor(); }

private:
    asio::steady_timer timer_;
    bool open_ = false;
};

}  // namespace pawl::engine
