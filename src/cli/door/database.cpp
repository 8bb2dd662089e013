#include "cli/door/database.hpp"

#include "cli/door/tenant_repos.hpp"
#include "cli/parse/env_file.hpp"
#include "cli/terminal/console.hpp"
#include "dev/files.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

namespace pawl::cli {

namespace {

constexpr const char* default_name = "default";
constexpr const char* dev_env = ".pawl/dev.env";

std::string env(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool names_postgres() {
    for (const char* name : {"PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"}) {
        if (!env(name).empty()) return true;
    }
    return false;
}

std::string database_url(const Globals& globals) {
    if (!globals.database_url.empty()) return globals.database_url;
    if (std::string url = env("DATABASE_URL"); !url.empty()) return url;
    if (names_postgres()) return "";
    const auto file = dev::read_file(dev_env);
    const auto url = file ? env_file_value(*file, "DATABASE_URL") : std::nullopt;
    if (!url) return "";
    say(globals, std::string("using the database of ") + dev_env);
    return *url;
}

// A URL leads to a server, which does not open its database to callers.
void need_database(const Globals& globals) {
    if (globals.url.empty() && names_postgres()) return;
    throw Failure(
        {Errc::invalid,
         "this command works on the database itself, not through --url (PAWL_URL)",
         {{"next", "give --database-url, or set DATABASE_URL; pawl help lists the commands"}}}
    );
}

asio::awaitable<int> open_and_run(pg::ConnectOptions connect, WithConnection command) {
    const auto connection = co_await pg::Connection::connect(std::move(connect));
    co_return co_await command(*connection);
}

// The default tenant is always there, and needs no round trip.
asio::awaitable<int> run_as_tenant(pg::Pool& pool, std::string name, WithTenant command) {
    store::Tenant tenant;
    if (name != default_name) {
        store::ApiKeys keys(pool);
        const auto found = co_await read_tenant(keys, name);
        if (!found) throw Failure(found.error());
        tenant = found->tenant;
    }
    co_return co_await command(pool, tenant);
}

struct Ending {
    int code = exit_error;
    std::exception_ptr error;
};

}  // namespace

pg::ConnectOptions connect_options(const Globals& globals) {
    pg::ConnectOptions options;
    options.conninfo = database_url(globals);
    if (!globals.url.empty() || (options.conninfo.empty() && !env("PAWL_URL").empty())) {
        need_database(globals);
    }
    options.prepare = globals.prepare;
    return options;
}

int run_loop(const Globals& globals, asio::awaitable<int> command, asio::io_context& loop) {
    Ending ending;
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    signals.async_wait([&](boost::system::error_code failed, int number) {
        if (failed) return;
        say(globals, "interrupted");
        std::fflush(stdout);
        // At once: what is under way on the server ends with the connection, and nothing here
        // needs to be put away.
        std::_Exit(128 + number);
    });
    asio::co_spawn(loop, std::move(command), [&](std::exception_ptr error, int code) {
        ending = {code, error};
        signals.cancel();
    });
    loop.run();
    if (ending.error) std::rethrow_exception(ending.error);
    return ending.code;
}

int with_pool(const Globals& globals, WithPool command) {
    asio::io_context loop(1);
    pg::PoolOptions options;
    options.connect = connect_options(globals);
    options.connections_max = 4;
    pg::Pool pool(loop.get_executor(), options);
    return run_loop(globals, command(pool), loop);
}

int with_tenant(const Globals& globals, WithTenant command) {
    return with_pool(globals, [&](pg::Pool& pool) {
        return run_as_tenant(pool, globals.tenant, command);
    });
}

int with_connection(
    const pg::ConnectOptions& connect, const Globals& globals, WithConnection command
) {
    asio::io_context loop(1);
    return run_loop(globals, open_and_run(connect, std::move(command)), loop);
}

}  // namespace pawl::cli
