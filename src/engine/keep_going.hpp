#pragma once

#include "base/log.hpp"
#include "engine/gate.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace pawl::engine {

// Runs one of a process's loops. What the loop does not expect to be thrown must not end it: it
// works for all tenants, and nothing else would begin it again. Ends with the loop, and when it is
// cancelled.
inline boost::asio::awaitable<void> keep_going(
    boost::asio::any_io_executor executor,
    std::string name,
    std::function<boost::asio::awaitable<void>()> loop
) {
    for (;;) {
        std::string why;
        try {
            co_await loop();
            co_return;
        } catch (const boost::system::system_error& error) {
            if (error.code() == boost::asio::error::operation_aborted) throw;
            why = error.what();
        } catch (const std::exception& error) {
            why = error.what();
        }
        log::error(
            "a loop met an unexpected error and begins again",
            {log::field("loop", name), log::field("error", why)}
        );
        Gate pause(executor);
        co_await pause.wait(Steady::now() + std::chrono::seconds(1));
    }
}

}  // namespace pawl::engine
