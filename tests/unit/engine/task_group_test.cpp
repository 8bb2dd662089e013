#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

// Ends some turns of the loop after it was cancelled, like one who closes a connection.
asio::awaitable<void> lingers(asio::any_io_executor executor, int& alive) {
    struct Alive {
        int& count;
        ~Alive() { --count; }
    } const counted{++alive};
    Gate never(executor);
    co_await never.wait();
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    for (int turn = 0; turn < 3; ++turn) {
        Gate soon(executor);
        co_await soon.wait(Steady::now() + std::chrono::milliseconds(1));
    }
}

asio::awaitable<void> two_inside(asio::any_io_executor executor, int& alive) {
    CoroutineGroup inner(executor);
    inner.spawn(lingers(executor, alive));
    inner.spawn(lingers(executor, alive));
    co_await inner.join_or_cancel();
}

asio::awaitable<void> cancelled_outside(asio::any_io_executor executor, int& alive, int& most) {
    CoroutineGroup outer(executor);
    outer.spawn(two_inside(executor, alive));
    while (alive < 2) {
        Gate soon(executor);
        co_await soon.wait(Steady::now() + std::chrono::milliseconds(1));
    }
    most = alive;
    outer.cancel();
    co_await outer.join();
}

TEST(CoroutineGroup, ACancelledWaiterLeavesNoCoroutineBehind) {
    test::Loop loop;
    int alive = 0;
    int most = 0;
    loop.run(cancelled_outside(loop.context().get_executor(), alive, most));
    EXPECT_EQ(most, 2);
    EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace pawl::engine
