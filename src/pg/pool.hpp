#pragma once

#include "pg/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>

namespace pawl::pg {

struct PoolOptions {
    ConnectOptions connect;
    std::size_t connections_max = 6;
    Duration acquire_timeout = std::chrono::seconds(30);
};

// Connections of one thread. A borrowed connection comes back when its Lease goes; a broken one is
// closed instead. Must outlive its leases. Not thread-safe: one pool a thread.
class Pool {
public:
    Pool(asio::any_io_executor executor, PoolOptions options);
    ~Pool();

    class Lease {
    public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection);
        Lease(Lease&&) = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease();
        Connection* operator->() { return connection_.get(); }
        Connection& operator*() { return *connection_; }

    private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    // Hands out an idle connection, opens one, or waits for one to come back. Throws when none
    // comes in time.
    asio::awaitable<Lease> acquire();

    std::size_t open() const;
    const PoolOptions& options() const;

private:
    struct Impl;
    void give_back(std::unique_ptr<Connection> connection);
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::pg
