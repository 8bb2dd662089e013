#pragma once

#include "pg/connection.hpp"
#include "pg/pg_error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <libpq-fe.h>

#include <memory>
#include <set>
#include <string>

namespace pawl::pg {

struct CloseConn {
    void operator()(PGconn* conn) const { PQfinish(conn); }
};
struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

// What the server enforces beside statement_timeout: for the whole session or, behind a pooler, for
// each transaction.
inline constexpr Duration lock_timeout = std::chrono::seconds(10);
inline constexpr Duration idle_in_transaction_timeout = std::chrono::seconds(15);

inline std::int64_t milliseconds(Duration duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

// Shared with the handler of the limit timer, which may run after the connection is gone.
struct Connection::Impl : std::enable_shared_from_this<Connection::Impl> {
    Impl(asio::any_io_executor executor, ConnectOptions given)
        : options(std::move(given)), descriptor(executor), timer(executor) {}
    ~Impl();

    ConnectOptions options;
    std::unique_ptr<PGconn, CloseConn> conn;
    asio::posix::stream_descriptor descriptor;
    asio::steady_timer timer;
    std::set<std::string_view> prepared;
    bool broken = false;
    bool limit_hit = false;
    // A commit of the operation under way did not wait for its standby to the end.
    bool unreplicated = false;

    enum class For { reading, writing, both };
    asio::awaitable<void> wait(For what);
    // Follows the socket, which PQconnectPoll may have replaced.
    void adopt_socket();
    void drop_socket();
    asio::awaitable<void> flush();
    asio::awaitable<ResultPtr> next_result();

    [[noreturn]] void fail_connection(std::string_view query);
    [[noreturn]] void fail(std::string message, std::string_view query);
    // At the end of an operation: a commit that is not on the standby is not acknowledged. Its
    // outcome is unknown until it was asked for again.
    void require_replicated(std::string_view query);
    static PgError error_of(const PGresult* result, std::string_view query);
};

// Marks a connection broken unless the operation reached its end, and bounds the operation's time.
class Operation {
public:
    Operation(Connection::Impl& impl, Duration limit);
    ~Operation();
    void done() { done_ = true; }

private:
    Connection::Impl& impl_;
    bool done_ = false;
};

}  // namespace pawl::pg
