#pragma once

#include "base/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>

namespace pawl::engine {

namespace asio = boost::asio;

// Owns the coroutines it spawns: logs what they throw, cancels them together, and can wait for
// their end. One thread.
class CoroutineGroup {
public:
    explicit CoroutineGroup(asio::any_io_executor executor);
    ~CoroutineGroup();

    void spawn(asio::awaitable<void> task);
    void cancel();
    asio::awaitable<void> join();
    // Like join(), for at most that long; those that are left are cancelled. Whether all ended by
    // themselves.
    asio::awaitable<bool> join_until(Steady::time_point until);
    // Like join(). When it is cancelled itself it cancels the tasks, and returns when they have
    // ended: what they use may go then.
    asio::awaitable<void> join_or_cancel();
    std::size_t size() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace pawl::engine
