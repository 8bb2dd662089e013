#include "host/serve.hpp"

#include "cli/commands/schema_check.hpp"
#include "cli/commands/serve_options.hpp"
#include "cli/door/database.hpp"
#include "cli/door/workers_host.hpp"
#include "cli/parse/api_flags.hpp"
#include "cli/parse/api_options.hpp"
#include "cli/parse/door_options.hpp"
#include "cli/parse/listen_address.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/parse/worker_flags.hpp"
#include "cli/terminal/console.hpp"
#include "http/host_rules.hpp"
#include "pg/pool.hpp"
#include "store/repos/api_keys.hpp"

namespace pawl::cli {

namespace {

struct ServeOptions {
    Globals globals;
    ListenAddress listen{"127.0.0.1", 8080};
    WorkerFlags worker;
    ApiFlags api;
    std::string tls_cert;
    std::string tls_key;
    bool no_worker = false;
    bool no_api = false;
};

constexpr const char* make_key = "pawl keys create --name admin --scope admin";

// An API without any key must not be open to other machines.
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
            " without an API key: other machines could call it before there is one",
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

void add_serve(App& app, ServeOptions& options) {
    add_parsed(app, "--listen", options.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8080")
        ->envname("PAWL_LISTEN");
    auto* no_worker = app.add_flag("--no-worker", options.no_worker, "Only the API");
    app.add_flag("--no-api", options.no_api, "Only the worker and its health pages")
        ->excludes(no_worker);
    auto* cert = add_setting(
        app, "--tls-cert", options.tls_cert, "FILE", "Serve HTTPS with this certificate"
    );
    add_setting(app, "--tls-key", options.tls_key, "FILE", "Its private key")->needs(cert);
    add_worker_flags(app, options.worker);
    add_api_flags(app, options.api);
}

const RegisterCommand<run_serve, add_serve> serve_command(
    {"serve", 30, "Serve the API and execute runs"},
    {{"DATABASE_URL=postgresql://... pawl serve"},
     {"pawl serve --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem"},
     {"pawl serve --no-worker --cors-origin https://app.example.com"},
     {"PAWL_JWT_SECRET_FILE=secret pawl serve", "accepts HS256 tokens, as of Supabase"},
     {"pawl serve --jwks https://example.com/.well-known/jwks.json"}}
);

}  // namespace

}  // namespace pawl::cli
