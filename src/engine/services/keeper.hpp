#pragma once

#include "base/clock.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/observe/metrics.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::engine {

// Which services of a process keep failing, for /readyz and the metrics. Thread-safe; the metrics
// outlive it, and it outlives the keepers.
class ServiceBoard {
public:
    explicit ServiceBoard(Metrics& metrics) : metrics_(metrics) {}

    struct Place {
        std::string service;
        int failures = 0;  // in a row
        Steady::time_point failed_at{};
    };
    // Of one loop; several may have the same name.
    Place& add(const std::string& service);
    void failed(Place& place, int in_a_row);
    // Names of those that failed several times in a row, and a moment ago.
    std::vector<std::string> failing() const;

private:
    Metrics& metrics_;
    mutable std::mutex mutex_;
    std::list<Place> places_;
};

struct KeeperOptions {
    ServiceBoard* board = nullptr;  // none: only the log tells
    Duration pause_min = std::chrono::milliseconds(100);
    Duration pause_max = std::chrono::seconds(5);
    // Called when a service begins, and begins again; what it throws is a failure of the service.
    std::function<void(std::string_view service)> before;
};

// Keeps the services of a process going: loops in the background that go on until they are
// cancelled. One that throws what it did not foresee is logged and begun again, later each time.
// One thread; what the loops use outlives it.
class Keeper {
public:
    using Loop = std::function<asio::awaitable<void>()>;

    Keeper(asio::any_io_executor executor, KeeperOptions options);

    // A loop that returns has ended and is not restarted.
    void keep(std::string service, Loop loop);
    void cancel();
    asio::awaitable<void> join() { return tasks_.join(); }

private:
    asio::awaitable<void> go_on(std::string service, Loop loop);

    asio::any_io_executor executor_;
    KeeperOptions options_;
    bool cancelled_ = false;
    CoroutineGroup tasks_;
};

}  // namespace pawl::engine
