#include "cli/parse/args_parser.hpp"

// The commands that stay: dev, worker and serve.
namespace pawl::cli {

void Parser::add_dev() {
    auto& app = command(app_, "dev", "Run everything here, with a private PostgreSQL");
    auto* dir = app.add_option("--data-dir", dev_.data_dir, "Where everything is kept")
                    ->type_name("DIR")
                    ->capture_default_str();
    add_parsed(app, "--listen", dev_.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8080")
        ->envname("PAWL_LISTEN");
    app.add_option("--workflows", dev_.workflows, "Definitions to publish at the start")
        ->type_name("DIR")
        ->default_str("./workflows if it exists");
    app.add_option("--watch", dev_.watch, "Definitions to publish now, and whenever they change")
        ->type_name("DIR");
    app.add_option("--functions-url", dev_.functions_url, "Where 'function' steps are called")
        ->type_name("URL")
        ->envname("PAWL_FUNCTIONS_URL");
    add_outbound_flag(
        app, dev_.allow_outbound, "Where steps may call beside this machine and the public internet"
    );
    add_cors_flag(app, dev_.cors_origins);
    add_host_flag(app, dev_.door);
    app.add_flag(
           "--ephemeral", dev_.ephemeral, "Use a temporary directory and remove it at the end"
    )
        ->excludes(dir);
    choose(app, dev_);
}

void Parser::add_worker() {
    auto& app = command(app_, "worker", "Carry out runs of a database");
    const auto listen = [this](const std::string& text) {
        worker_.serve_http = true;
        return parse_listen_address(text);
    };
    add_parsed(app, "--listen", worker_.listen, listen, "Serve /livez, /readyz and /metrics here")
        ->type_name("HOST:PORT")
        ->envname("PAWL_LISTEN");
    add_worker_flags(app, worker_.worker);
    choose(app, worker_);
}

void Parser::add_serve() {
    auto& app = command(app_, "serve", "Serve the API and carry out runs");
    add_parsed(app, "--listen", serve_.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8080")
        ->envname("PAWL_LISTEN");
    auto* no_worker = app.add_flag("--no-worker", serve_.no_worker, "Only the API");
    app.add_flag("--no-api", serve_.no_api, "Only the worker and its health pages")
        ->excludes(no_worker);
    auto* cert = app.add_option("--tls-cert", serve_.tls_cert, "Serve HTTPS with this certificate")
                     ->type_name("FILE")
                     ->envname("PAWL_TLS_CERT");
    app.add_option("--tls-key", serve_.tls_key, "Its private key")
        ->type_name("FILE")
        ->envname("PAWL_TLS_KEY")
        ->needs(cert);
    add_worker_flags(app, serve_.worker);
    add_api_flags(app, serve_.api);
    choose(app, serve_);
}

}  // namespace pawl::cli
