#include "cli/commands/schema_check.hpp"
#include "cli/commands/serve_options.hpp"
#include "cli/door/database.hpp"
#include "cli/door/workers_host.hpp"
#include "cli/parse/door_options.hpp"
#include "cli/parse/listen_address.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/parse/worker_flags.hpp"
#include "cli/terminal/console.hpp"
#include "host/serve.hpp"

namespace pawl::cli {

namespace {

struct WorkerOptions {
    Globals globals;
    ListenAddress listen{"127.0.0.1", 8080};
    bool serve_http = false;  // only when --listen was given
    WorkerFlags worker;
};

int run_worker(const WorkerOptions& options) {
    const Globals& globals = options.globals;
    const auto connect = connect_options(globals);
    const int code = with_connection(connect, globals, [&](pg::Connection& connection) {
        return check_schema(connection, globals);
    });
    if (code != exit_ok) return code;
    host::ServeOptions serve = worker_options(globals, connect, options.worker);
    serve.listen = options.serve_http;
    open_doors(serve, options.worker.door, options.listen);
    serve.on_ready = [&](std::uint16_t port, std::uint16_t) {
        const ListenAddress address{options.listen.host, port};
        log::info(
            "the worker is ready",
            {log::field("threads", options.worker.threads),
             log::field("listen", options.serve_http ? to_string(address) : "off")}
        );
    };
    const auto workers = workers_for(connect, options.worker.model_file);
    if (workers) workers->add_to(serve);
    return host::serve(std::move(serve));
}

void add_worker(App& app, WorkerOptions& options) {
    const auto listen = [&options](const std::string& text) {
        options.serve_http = true;
        return parse_listen_address(text);
    };
    add_parsed(app, "--listen", options.listen, listen, "Serve /livez, /readyz and /metrics here")
        ->type_name("HOST:PORT")
        ->envname("PAWL_LISTEN");
    add_worker_flags(app, options.worker);
}

const RegisterCommand<run_worker, add_worker> worker_command(
    {"worker", 20, "Execute the runs of a database"},
    {{"DATABASE_URL=postgresql://... pawl worker --listen 0.0.0.0:8080"},
     {"pawl worker --threads 2 --functions-url https://example.com/functions"}}
);

}  // namespace

}  // namespace pawl::cli
