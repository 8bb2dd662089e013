#include "engine/services/keeper.hpp"

#include "engine/async/gate.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;

class KeeperTest : public testing::Test {
protected:
    KeeperOptions options() {
        KeeperOptions options;
        options.board = &board_;
        options.pause_min = 1ms;
        options.pause_max = 2ms;
        return options;
    }
    asio::any_io_executor executor() { return loop_.context().get_executor(); }
    asio::awaitable<void> pause() {
        Gate gate(executor());
        co_await gate.wait(Steady::now() + 1ms);
    }
    asio::awaitable<void> until(std::function<bool()> so) {
        while (!so()) co_await pause();
    }
    asio::awaitable<void> end(Keeper& keeper) {
        keeper.cancel();
        co_await keeper.join();
    }
    bool shows(const std::string& line) const {
        return metrics_.text().find(line + "\n") != std::string::npos;
    }

    test::Loop loop_;
    Metrics metrics_;
    ServiceBoard board_{metrics_};
};

TEST_F(KeeperTest, BeginsAServiceAgainThatThrows) {
    Keeper keeper(executor(), options());
    int begun = 0;
    keeper.keep("clock", [&]() -> asio::awaitable<void> {
        ++begun;
        co_await pause();
        if (begun == 1) throw std::runtime_error("unexpected");
        if (begun == 2) throw 42;  // NOLINT: whatever is thrown
        Gate never(executor());
        co_await never.wait();
    });
    EXPECT_TRUE(shows("pawl_service_restarts_total{service=\"clock\"} 0") || begun == 0);
    loop_.run(until([&] { return begun == 3; }));
    EXPECT_TRUE(shows("pawl_service_restarts_total{service=\"clock\"} 2")) << metrics_.text();
    EXPECT_TRUE(board_.failing().empty()) << "twice is no illness";
    loop_.run(end(keeper));
}

TEST_F(KeeperTest, NamesAServiceThatKeepsFailing) {
    Keeper keeper(executor(), options());
    int begun = 0;
    for (int i = 0; i < 2; ++i) {
        keeper.keep("clock", [&]() -> asio::awaitable<void> {
            ++begun;
            co_await pause();
            throw std::runtime_error("again");
        });
    }
    keeper.keep("healthy", [&] { return until([] { return false; }); });
    loop_.run(until([&] { return begun >= 8; }));
    EXPECT_EQ(board_.failing(), std::vector<std::string>{"clock"});
    loop_.run(end(keeper));
}

TEST_F(KeeperTest, LeavesAServiceAloneThatCameToItsEnd) {
    Keeper keeper(executor(), options());
    int begun = 0;
    keeper.keep("short", [&]() -> asio::awaitable<void> {
        ++begun;
        co_return;
    });
    loop_.run(keeper.join());
    EXPECT_EQ(begun, 1);
}

// A service that must write something down before it goes resets its own cancellation.
TEST_F(KeeperTest, EndsAServiceThatHasResetItsCancellation) {
    Keeper keeper(executor(), options());
    bool waits = false;
    keeper.keep("writer", [&]() -> asio::awaitable<void> {
        waits = true;
        Gate never(executor());
        bool interrupted = false;
        try {
            co_await never.wait();
            co_await pause();
        } catch (const boost::system::system_error&) {
            interrupted = true;
        }
        EXPECT_TRUE(interrupted);
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await pause();
        throw boost::system::system_error(asio::error::operation_aborted);
    });
    loop_.run(until([&] { return waits; }));
    loop_.run(end(keeper), 5s);
}

TEST_F(KeeperTest, AFaultBeforeTheServiceCountsAsItsOwn) {
    KeeperOptions given = options();
    int faults = 2;
    given.before = [&](std::string_view service) {
        if (service == "clock" && faults-- > 0) throw std::runtime_error("injected");
    };
    Keeper keeper(executor(), given);
    bool works = false;
    keeper.keep("clock", [&]() -> asio::awaitable<void> {
        works = true;
        co_return;
    });
    loop_.run(keeper.join());
    EXPECT_TRUE(works);
    EXPECT_TRUE(shows("pawl_service_restarts_total{service=\"clock\"} 2"));
}

}  // namespace
}  // namespace pawl::engine
