#include "host/serve.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/schema_check.hpp"
#include "cli/door/database.hpp"
#include "cli/door/workers_host.hpp"
#include "cli/parse/api_options.hpp"
#include "cli/parse/door_options.hpp"
#include "cli/parse/serve_options.hpp"
#include "cli/terminal/console.hpp"
#include "http/host_rules.hpp"
#include "pg/pool.hpp"
#include "store/repos/api_keys.hpp"

namespace pawl::cli {

namespace {

constexpr const char* make_key = "pawl keys create --name admin --scope admin";

// Beyond this machine nobody may find an API that was never given a lock.
asio::awaitable<int> check_keys(pg::Pool& pool, const ServeOptions& options) {
    store::ApiKeys keys(pool);
    const bool any = co_await keys.any_exist();
    if (any) co_return exit_ok;
    if (http::is_loopback_host(options.listen.host)) {
        say(options.globals, std::string("there is no API key yet; make one: ") + make_key);
        co_return exit_ok;
    }
    Error error{
        Errc::invalid,
        "will not listen on " + to_string(options.listen) +
            " without an API key: anybody could try the door before there is a lock",
        {{"next", std::string("run: ") + make_key + ", or listen on 127.0.0.1"}}};
    co_return report(options.globals, error);
}

int check_database(const ServeOptions& options, const pg::ConnectOptions& connect) {
    const Globals& globals = options.globals;
    const int code = with_connection(connect, globals, [&](pg::Connection& connection) {
        return check_schema(connection, globals);
    });
    if (code != exit_ok || options.no_api || options.api.checks_tokens()) return code;
    asio::io_context loop(1);
    pg::Pool pool(loop.get_executor(), {connect, 1});
    return run_loop(globals, check_keys(pool, options), loop);
}

}  // namespace

int run_serve(const ServeOptions& options) {
    const auto connect = connect_options(options.globals);
    const int code = check_database(options, connect);
    if (code != exit_ok) return code;
    host::ServeOptions serve = worker_options(options.globals, connect, options.worker);
    serve.server.tls_cert_file = options.tls_cert;
    serve.server.tls_key_file = options.tls_key;
    if (options.no_worker) serve.threads = 0;
    if (!options.no_api) serve.api = api_options(options.api);
    open_doors(serve, options.worker.door, options.listen);
    serve.on_ready = [&](std::uint16_t port, std::uint16_t metrics_port) {
        const std::string scheme = options.tls_cert.empty() ? "http://" : "https://";
        log::info(
            "ready",
            {log::field("url", scheme + to_string(ListenAddress{options.listen.host, port})),
             log::field("metrics_port", metrics_port == 0 ? port : metrics_port),
             log::field("api", !options.no_api),
             log::field("worker_threads", serve.threads)}
        );
    };
    const auto workers = workers_for(connect, options.worker.model_file);
    if (workers) workers->add_to(serve);
    return host::serve(std::move(serve));
}

}  // namespace pawl::cli
