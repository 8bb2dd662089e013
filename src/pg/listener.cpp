#include "pg/listener.hpp"

#include "base/log.hpp"
#include "pg/pg_error.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::pg {

asio::awaitable<void> Listener::listen_once() {
    constexpr Duration limit = std::chrono::seconds(5);
    const auto connection = co_await Connection::connect(options_.connect);
    co_await connection->run(*options_.listen, Params(), limit);
    const auto test = co_await connection->run(*options_.self_test, Params(), limit);
    if (!test.boolean(0, 0)) {
        useless_ = true;
        co_return;
    }
    listening_ = true;
    trouble_.fine();
    on_wake_({});
    for (;;) {
        const auto heard = co_await connection->notifications(options_.check_every);
        if (!heard.empty()) {
            on_wake_(heard);
        } else {
            co_await connection->run(*options_.self_test, Params(), limit);
        }
    }
}

asio::awaitable<void> Listener::run() {
    const auto executor = co_await asio::this_coro::executor;
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    while (!useless_) {
        try {
            co_await listen_once();
        } catch (const Failure& failure) {
            // Being told to stop shows as an interrupted wait.
            if (cancellation.cancelled() != asio::cancellation_type::none) co_return;
            trouble_.failed(failure.what());
        }
        listening_ = false;
        if (useless_) break;
        asio::steady_timer pause(executor, options_.retry_after);
        co_await pause.async_wait(asio::use_awaitable);
    }
    log::warn(
        "this database connection cannot LISTEN (a pooler in transaction mode?); runs started "
        "elsewhere are "
        "found by polling, within a second"
    );
}

}  // namespace pawl::pg
