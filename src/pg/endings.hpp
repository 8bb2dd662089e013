#pragma once

#include "pg/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <functional>
#include <memory>

namespace pawl::pg {

// Ends backends that are still at what their connections were cut off from: a statement can catch
// its own cancellation, and a server does not look whether its client is there while it works. A
// login may end what it has itself begun, from one more connection. Shared with the coroutine at
// work, which may outlive the pool.
class Endings : public std::enable_shared_from_this<Endings> {
public:
    Endings(asio::any_io_executor executor, ConnectOptions options, const Query& end_backend)
        : executor_(std::move(executor)), options_(std::move(options)), end_backend_(end_backend) {}

    // `gone` is called when the backend is no more.
    void add(int pid, std::function<void()> gone);
    // Tries once more to end what is left, and not for ever.
    void close() { closed_ = true; }

private:
    struct Ending {
        int pid;
        std::function<void()> gone;
    };

    asio::awaitable<void> work();
    asio::awaitable<void> end_all();

    asio::any_io_executor executor_;
    ConnectOptions options_;
    const Query& end_backend_;
    std::deque<Ending> left_;
    bool working_ = false;
    bool closed_ = false;
};

}  // namespace pawl::pg
