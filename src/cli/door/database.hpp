#pragma once

#include "cli/terminal/globals.hpp"
#include "pg/connection.hpp"
#include "pg/pool.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>

namespace pawl::cli {

namespace asio = boost::asio;

// Which database: --database-url, else DATABASE_URL, else PG* variables, else the dev.env that a
// `pawl dev` in this folder has written (and says so). Throws Failure (invalid) where only a URL
// was given: what needs the database itself cannot be done through a server.
pg::ConnectOptions connect_options(const Globals& globals);

// Runs a command's coroutine to its end on a loop of its own. Ctrl-C ends it with exit code 130.
int run_loop(const Globals& globals, asio::awaitable<int> command, asio::io_context& loop);

// The same with a pool or one connection. The coroutine must take nothing by reference
// that does not outlive the call.
using WithPool = std::function<asio::awaitable<int>(pg::Pool&)>;
int with_pool(const Globals& globals, WithPool command);
// With the tenant that --tenant names; throws Failure (not_found) when there is none.
using WithTenant = std::function<asio::awaitable<int>(pg::Pool&, store::Tenant)>;
int with_tenant(const Globals& globals, WithTenant command);
using WithConnection = std::function<asio::awaitable<int>(pg::Connection&)>;
int with_connection(
    const pg::ConnectOptions& connect, const Globals& globals, WithConnection command
);

}  // namespace pawl::cli
