#pragma once

#include "pg/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
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
        Lease(Pool& pool, std::unique_ptr<Connection> connection, std::int32_t tenant);
        Lease(Lease&&) = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease();
        Connection* operator->() { return connection_.get(); }
        Connection& operator*() { return *connection_; }

    private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
        std::int32_t tenant_;
    };

    // Hands out an idle connection, opens one, or waits for one to come back. Throws when none
    // comes in time. Tenants take turns, and one has at most half of the connections, so that its
    // statements that wait keep no others waiting; 0: for this process.
    asio::awaitable<Lease> acquire(std::int32_t tenant = 0);

    std::size_t open() const;
    const PoolOptions& options() const;

private:
    struct Impl;
    void give_back(std::unique_ptr<Connection> connection, std::int32_t tenant);
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::pg
