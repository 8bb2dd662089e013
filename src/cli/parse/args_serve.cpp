#include "cli/parse/args_parser.hpp"

#include <cstdlib>

// The commands that stay: dev, worker and serve.
namespace pawl::cli {

namespace {

Result<std::optional<double>> some_share(const std::string& text) {
    char* end = nullptr;
    const double share = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(share >= 0 && share <= 1)) {
        return Error{Errc::invalid, "must be a number from 0 to 1, not '" + text + "'", {}};
    }
    return std::optional<double>(share);
}

void add_trace_flags(App& app, TraceFlags& flags) {
    app.add_option(
           "--trace-endpoint",
           flags.endpoint,
           "Send traces there by OTLP/HTTP (or: OTEL_EXPORTER_OTLP_ENDPOINT)"
    )
        ->type_name("URL");
    add_parsed(app, "--trace-sample", flags.sample, some_share, "Share of runs traced [0.01]")
        ->type_name("SHARE");
    const char* cut = "A run that was idle for longer goes on in a new trace, with a link";
    add_parsed(app, "--trace-cut", flags.cut, parse_duration, cut)
        ->type_name("TIME")
        ->default_str("1m");
}

constexpr const char* beside_the_internet =
    "Where steps may call beside the public internet; may be repeated [nowhere]";

void add_outbound_flag(App& app, std::vector<std::string>& allow, const char* what) {
    app.add_option("--allow-outbound", allow, what)
        ->type_name("ADDRESS|CIDR|HOST[:PORT]|any")
        ->delimiter(',')
        ->envname("PAWL_ALLOW_OUTBOUND");
}

void add_target_flag(App& app, std::vector<std::string>& limits, int& outbox_workers) {
    add_number(
        app, "--outbox-workers", outbox_workers, 1, 64, "Loops that take messages for webhooks [2]"
    );
    app.add_option(
           "--target-limit", limits, "How much steps of a thread may call one origin, or each [any]"
    )
        ->type_name("[ORIGIN=]N|R/s|N,R/s")
        ->delimiter(';')
        ->envname("PAWL_TARGET_LIMIT");
}

Result<std::optional<ListenAddress>> some_address(const std::string& text) {
    const auto address = parse_listen_address(text);
    if (!address) return address.error();
    return std::optional<ListenAddress>(*address);
}

void add_host_flag(App& app, DoorFlags& flags) {
    app.add_option(
           "--allowed-host",
           flags.allowed_hosts,
           "Answer to this name too; may be repeated [on loopback: the names of this machine]"
    )
        ->type_name("NAME")
        ->delimiter(',')
        ->envname("PAWL_ALLOWED_HOST");
}

void add_door_flags(App& app, DoorFlags& flags) {
    add_host_flag(app, flags);
    const char* own = "A port of its own for /metrics, without a key on 127.0.0.1";
    add_parsed(app, "--metrics-listen", flags.metrics_listen, some_address, own)
        ->type_name("HOST:PORT")
        ->envname("PAWL_METRICS_LISTEN");
    app.add_option(
           "--metrics-key",
           flags.metrics_key_file,
           "A file with the key that opens /metrics (or: PAWL_METRICS_KEY)"
    )
        ->type_name("FILE")
        ->envname("PAWL_METRICS_KEY_FILE");
}

// What steps reach the world by.
void add_step_flags(App& app, WorkerOptions& options) {
    app.add_option(
           "--functions-url",
           options.functions_url,
           "Where 'function' steps are called; the key comes from PAWL_FUNCTIONS_KEY"
    )
        ->type_name("URL")
        ->envname("PAWL_FUNCTIONS_URL");
    app.add_option(
           "--functions", options.functions_file, "Functions hosts by name and by tenant (YAML)"
    )
        ->type_name("FILE")
        ->envname("PAWL_FUNCTIONS");
    app.add_option(
           "--messages", options.messages_file, "Through whom emails and text messages go (YAML)"
    )
        ->type_name("FILE")
        ->envname("PAWL_MESSAGES");
    app.add_option(
           "--model",
           options.model_file,
           "Serve csr, bdr, sdr and va too, with the model that this file describes (YAML)"
    )
        ->type_name("FILE")
        ->envname("PAWL_MODEL");
    auto* url = app.add_option(
                       "--sql-url",
                       options.sql_url,
                       "The login of 'sql' steps, {tenant} in it stands for whose; none: they fail"
    )
                    ->type_name("URL")
                    ->envname("PAWL_SQL_URL");
    app.add_flag(
           "--unsafe-sql-as-engine",
           options.sql_as_engine,
           "Run 'sql' steps as the engine: they can read and change everything"
    )
        ->envname("PAWL_UNSAFE_SQL_AS_ENGINE")
        ->excludes(url);
    app.add_option("--sql-role", options.sql_role, "The role that 'sql' steps run as")
        ->type_name("ROLE")
        ->envname("PAWL_SQL_ROLE");
}

// What `worker` and `serve` have in common.
void add_worker_flags(App& app, WorkerOptions& options) {
    add_number(app, "--threads", options.threads, 1, 64, "Worker threads [1]");
    add_number(app, "--runs-max", options.runs_max, 1, 1'000'000, "Runs held at a time [2000]");
    add_number(
        app, "--runs-mib", options.runs_mib, 1, 65'536, "MiB that their data may take together [16]"
    );
    add_step_flags(app, options);
    add_parsed(
        app,
        "--drain-timeout",
        options.drain_timeout,
        parse_duration,
        "How long a stop may wait for steps under way"
    )
        ->type_name("TIME")
        ->default_str("8s");
    app.add_option(
           "--link-secret",
           options.link_secret_file,
           "A file with the secret that signs links and callbacks (or: PAWL_LINK_SECRET)"
    )
        ->type_name("FILE")
        ->envname("PAWL_LINK_SECRET_FILE");
    app.add_option(
           "--secret-key",
           options.secret_key_file,
           "A file with the keys that credentials are encrypted with (or: PAWL_SECRET_KEY)"
    )
        ->type_name("FILE")
        ->envname("PAWL_SECRET_KEY_FILE");
    add_trace_flags(app, options.traces);
    add_door_flags(app, options.door);
    app.add_option("--public-url", options.public_url, "How people and steps reach the API")
        ->type_name("URL")
        ->envname("PAWL_PUBLIC_URL");
    add_parsed(
        app,
        "--event-retention",
        options.event_retention,
        parse_duration,
        "How long events are kept for runs that wait for them later"
    )
        ->type_name("TIME")
        ->default_str("7d");
    const char* retention = "Drop weeks of closed runs older than this (90d); default: keep all";
    add_parsed(app, "--retention", options.retention, some_duration, retention)
        ->type_name("TIME")
        ->envname("PAWL_RETENTION");
}

void add_cors_flag(App& app, std::vector<std::string>& origins) {
    app.add_option("--cors-origin", origins, "Web pages of this origin may call; * for any [none]")
        ->type_name("ORIGIN")
        ->envname("PAWL_CORS_ORIGIN");
}

void add_api_flags(App& app, ApiFlags& flags) {
    add_cors_flag(app, flags.cors_origins);
    app.add_option("--jwks", flags.jwks, "Keys that sign tokens (ES256, RS256)")
        ->type_name("FILE|URL")
        ->envname("PAWL_JWKS");
    app.add_option("--jwt-issuer", flags.jwt_issuer, "Only tokens of this issuer")
        ->type_name("TEXT")
        ->envname("PAWL_JWT_ISSUER");
    app.add_option("--jwt-audience", flags.jwt_audience, "Only tokens for this audience")
        ->type_name("TEXT")
        ->envname("PAWL_JWT_AUDIENCE");
    app.add_option("--jwt-roles", flags.jwt_roles, "What the role of a token allows")
        ->type_name("ROLE=SCOPE+SCOPE,...")
        ->envname("PAWL_JWT_ROLES");
    app.add_option("--tenant-claim", flags.tenant_claim, "Where a token must name its tenant")
        ->type_name("PATH")
        ->envname("PAWL_TENANT_CLAIM");
    app.add_option("--scope-claim", flags.scope_claim, "Where a token names scopes [nowhere]")
        ->type_name("PATH")
        ->envname("PAWL_SCOPE_CLAIM");
    app.add_flag("--no-access-log", flags.no_access_log, "Do not log every request");
}

}  // namespace

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
    add_worker_flags(app, worker_);
    add_outbound_flag(app, worker_.allow_outbound, beside_the_internet);
    add_target_flag(app, worker_.target_limits, worker_.outbox_workers);
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
    add_outbound_flag(app, serve_.worker.allow_outbound, beside_the_internet);
    add_target_flag(app, serve_.worker.target_limits, serve_.worker.outbox_workers);
    add_api_flags(app, serve_.api);
    choose(app, serve_);
}

}  // namespace pawl::cli
