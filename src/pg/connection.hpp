#pragma once

#include "base/clock.hpp"
#include "pg/params.hpp"
#include "pg/query.hpp"
#include "pg/rows.hpp"
#include "pg/text_table.hpp"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pawl::pg {

namespace asio = boost::asio;

struct ConnectOptions {
    // A URL or keyword string; several hosts and target_session_attrs work. Empty: PGHOST, PGUSER,
    // ... decide.
    std::string conninfo;
    // Off for poolers in transaction mode: no prepared statements, no session settings.
    bool prepare = true;
    std::string application_name = "pawl";
    Duration connect_timeout = std::chrono::seconds(5);  // for each host
    Duration statement_timeout = std::chrono::seconds(30);
    // Counts round trips when given.
    std::shared_ptr<std::atomic<std::uint64_t>> round_trips;
};

struct Statement {
    const Query* query = nullptr;
    Params params;
    // Begins a transaction of its own; what was sent before it is committed, or failed, by then.
    bool own_transaction = false;
};

struct Notification {
    std::string channel;
    std::string payload;
    int sender_pid = 0;
};

// One connection to Postgres: libpq and waiting, nothing else. Used by one coroutine at a time, on
// the executor it was connected on. Every wait has a limit. When an operation is cut short (error
// on the wire, limit, cancelled or destroyed coroutine) the protocol state is unknown: the
// connection is broken for good and never used again.
class Connection {
public:
    static asio::awaitable<std::unique_ptr<Connection>> connect(ConnectOptions options);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // `query` must outlive the connection (they are constants).
    asio::awaitable<Rows> run(const Query& query, Params params, Duration limit);
    // One round trip. One implicit transaction, all or nothing, unless a statement asks for its
    // own. Throws the first error.
    asio::awaitable<std::vector<Rows>> run_all(std::vector<Statement> statements, Duration limit);
    // Several statements as text, for migrations. No parameters.
    asio::awaitable<void> script(std::string sql, Duration limit);
    // COPY ... FROM STDIN with all the data at once. Returns the number of rows.
    asio::awaitable<std::int64_t> copy_in(const Query& query, std::string data, Duration limit);
    // Runs a user's statement once, with its rows as text. One that gives more than the limits is
    // cut off with Errc::too_large, and the connection is broken.
    asio::awaitable<TextTable> run_foreign(
        std::string sql, Params params, TextLimits limits, Duration limit
    );
    // Waits for NOTIFYs; returns with none when the limit passes.
    asio::awaitable<std::vector<Notification>> notifications(Duration limit);

    struct Column {
        std::string name;
        std::uint32_t type = 0;
    };
    struct Description {
        std::vector<std::uint32_t> params;
        std::vector<Column> columns;
    };
    // What the server makes of a statement: the query contract test.
    asio::awaitable<Description> describe(const Query& query, Duration limit);

    bool usable() const;
    // Whether a transaction is open and has not failed.
    bool in_transaction() const;
    // Breaks the connection: an open transaction is rolled back, and the pool drops it.
    void discard();
    // Whether it was cut off from something that the server may still be at.
    bool is_left_busy() const;
    int backend_pid() const;

    struct Impl;  // for the other files of this folder

private:
    explicit Connection(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

}  // namespace pawl::pg
