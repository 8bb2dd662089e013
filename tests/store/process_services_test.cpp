#include "api/streams/feed.hpp"
#include "engine/async/gate.hpp"
#include "engine/services/keeper.hpp"
#include "host/serve.hpp"
#include "support/database.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

// Services that a whole process has beside those of its threads (services_test.cpp) and of its API
// (server_services_test.cpp), and those that begin when a caller needs them.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 30s;

// Counts how often services begin; lets each fail the first time. Thread-safe.
class Faults {
public:
    void begin(const std::string& service) {
        const std::lock_guard lock(mutex_);
        const int times = ++begun_[service];
        changed_.notify_all();
        if (times == 1) throw std::runtime_error("injected into " + service);
    }
    bool wait_for_second(const std::string& service) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, patience, [&] { return begun_[service] >= 2; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, int> begun_;
};

TEST(ServicesOfAProcess, BeginAgainAfterAnUnexpectedError) {
    TestDatabase database;
    Faults faults;
    std::stop_source stop;
    host::ServeOptions options;
    options.connect.conninfo = database.url();
    options.listen = false;
    options.traces.url = "http://127.0.0.1:9/v1/traces";
    options.stop = stop.get_token();
    options.before_service = [&](std::string_view service) { faults.begin(std::string(service)); };
    int code = -1;
    std::thread process([&] { code = host::serve(std::move(options)); });
    EXPECT_TRUE(faults.wait_for_second("signals"));
    EXPECT_TRUE(faults.wait_for_second("traces"));
    stop.request_stop();
    process.join();
    EXPECT_EQ(code, 0);
}

asio::awaitable<void> wait_for_progress(const api::Feed& feed, Instant begun) {
    const auto executor = co_await asio::this_coro::executor;
    const auto deadline = Steady::now() + patience;
    while (feed.position() <= begun && Steady::now() < deadline) {
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + 5ms);
    }
}

TEST(ServicesOfAFeed, GoOnAfterAnUnexpectedError) {
    TestDatabase database;
    Loop loop;
    engine::Metrics metrics;
    engine::ServiceBoard board(metrics);
    Faults faults;
    engine::KeeperOptions keeping;
    keeping.board = &board;
    keeping.pause_min = 1ms;
    keeping.before = [&](std::string_view service) { faults.begin(std::string(service)); };
    const auto executor = loop.context().get_executor();
    pg::PoolOptions pooled;
    pooled.connect.conninfo = database.url();
    pg::Pool pool(executor, pooled);
    store::EventTail tail(pool);
    engine::Keeper keeper(executor, keeping);
    api::Feeds feeds(executor, tail, keeper);
    api::Feed& feed = feeds.of({1, 0});
    const auto reader = feed.listen([] {});
    const Instant begun = feed.position();
    loop.run(wait_for_progress(feed, begun), patience + 5s);
    EXPECT_GT(feed.position(), begun);
    EXPECT_NE(
        metrics.text().find("pawl_service_restarts_total{service=\"feed\"} 1\n"), std::string::npos
    );
    keeper.cancel();
    loop.run(keeper.join());
}

}  // namespace
}  // namespace pawl::test
