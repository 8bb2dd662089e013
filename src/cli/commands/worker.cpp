#include "cli/commands/commands.hpp"
#include "cli/commands/schema_check.hpp"
#include "cli/door/database.hpp"
#include "cli/door/workers_host.hpp"
#include "cli/parse/door_options.hpp"
#include "cli/parse/serve_options.hpp"
#include "cli/terminal/console.hpp"
#include "host/serve.hpp"

namespace pawl::cli {

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

}  // namespace pawl::cli
