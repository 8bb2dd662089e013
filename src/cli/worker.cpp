#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/serve_options.hpp"
#include "host/serve.hpp"
#include "store/migrate.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace {

// A worker on tables it does not know would fail later and less clearly.
asio::awaitable<int> check_schema(pg::Connection& connection, const Globals& globals) {
    const auto migrations = co_await store::migration_status(connection);
    const auto pending = std::count_if(migrations.begin(), migrations.end(), [](const auto& one) {
        return !one.applied_at;
    });
    if (pending == 0) co_return exit_ok;
    Error error{
        Errc::unavailable,
        fmt::format("{} of {} migrations are pending", pending, migrations.size()),
        {{"next", "run: pawl migrate up"}}};
    co_return report(globals, error);
}

}  // namespace

int run_worker(const WorkerOptions& options) {
    const Globals& globals = options.globals;
    const auto connect = connect_options(globals);
    const int code = with_connection(connect, globals, [&](pg::Connection& connection) {
        return check_schema(connection, globals);
    });
    if (code != exit_ok) return code;
    host::ServeOptions serve = serve_options(connect, options.functions_url);
    serve.listen = options.serve_http;
    serve.server.host = options.listen.host;
    serve.server.port = options.listen.port;
    serve.threads = options.threads;
    if (options.runs_max > 0) serve.runs_max = options.runs_max;
    serve.drain_timeout = options.drain_timeout;
    serve.retention = options.retention;
    serve.on_ready = [&](std::uint16_t port) {
        const ListenAddress address{options.listen.host, port};
        log::info(
            "the worker is ready",
            {log::field("threads", options.threads),
             log::field("listen", options.serve_http ? to_string(address) : "off")}
        );
    };
    return host::serve(std::move(serve));
}

}  // namespace pawl::cli
