#include "base/on_thread.hpp"

#include "support/loop.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace pawl::test {
namespace {

TEST(OnThread, WhatIsMadeThereComesBack) {
    asio::thread_pool threads(1);
    Loop loop;
    const auto here = std::this_thread::get_id();
    const auto there = [](asio::thread_pool& pool,
                          std::thread::id waits) -> asio::awaitable<std::unique_ptr<std::string>> {
        auto made = co_await on_thread(pool, [waits] {
            EXPECT_NE(std::this_thread::get_id(), waits);
            return std::make_unique<std::string>("made");
        });
        EXPECT_EQ(std::this_thread::get_id(), waits);
        co_return made;
    };
    EXPECT_EQ(*loop.run(there(threads, here)), "made");
}

TEST(OnThread, WhatIsThrownThereIsThrownHere) {
    asio::thread_pool threads(1);
    Loop loop;
    const auto fail = []() -> int { throw std::runtime_error("on the thread"); };
    EXPECT_THROW(loop.run(on_thread(threads, fail)), std::runtime_error);
}

// The work ends on its thread while the coroutine is cancelled here, at any moment of it.
TEST(OnThread, ACancellationMeetsTheEndOfTheWork) {
    constexpr int times = 10'000;
    asio::thread_pool threads(1);
    asio::io_context loop(1);
    int ended = 0;
    int noticed = 0;
    const auto wait = [&]() -> asio::awaitable<void> {
        co_await on_thread(threads, [] { return 1; });
        const auto state = co_await asio::this_coro::cancellation_state;
        noticed += state.cancelled() == asio::cancellation_type::none ? 0 : 1;
    };
    for (int i = 0; i < times; ++i) {
        const auto signal = std::make_shared<asio::cancellation_signal>();
        asio::co_spawn(
            loop,
            wait(),
            asio::bind_cancellation_slot(signal->slot(), [&, signal](auto) { ++ended; })
        );
        loop.restart();
        loop.run_one();
        for (int spin = 0; spin < i % 50; ++spin) std::this_thread::yield();
        signal->emit(asio::cancellation_type::terminal);
        loop.run();
    }
    EXPECT_EQ(ended, times);
    EXPECT_GT(noticed, 0);
}

}  // namespace
}  // namespace pawl::test
