#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>

namespace pawl::bench {

namespace asio = boost::asio;

// Runs one coroutine to its end on an event loop of its own, on this thread.
inline void run_sync(asio::awaitable<void> task) {
    asio::io_context loop(1);
    std::exception_ptr failed;
    asio::co_spawn(loop, std::move(task), [&](std::exception_ptr thrown) { failed = thrown; });
    loop.run();
    if (failed) std::rethrow_exception(failed);
}

}  // namespace pawl::bench
