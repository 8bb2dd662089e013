#pragma once

#include "base/vault.hpp"
#include "engine/worker/worker.hpp"
#include "host/api_host.hpp"
#include "host/trace_exporter.hpp"
#include "http/server.hpp"
#include "pg/connection.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace pawl::host {

struct ServeOptions {
    pg::ConnectOptions connect;
    bool listen = true;
    http::ServerOptions server;
    // A port of its own for /metrics, /livez and /readyz.
    std::optional<http::ServerOptions> metrics_server;
    std::string metrics_key;        // with which a scraper reads /metrics; empty: there is none
    std::optional<ApiOptions> api;  // none: only /livez, /readyz and /metrics
    int threads = 1;                // of workers; 0: others carry the runs out
    steps::FunctionSettings functions;
    steps::MessageSettings messages;
    std::string jq_binary;  // runs the programs of transform steps; empty: such steps are not run
    std::string sql_url;    // where sql steps and conditions connect; with {tenant}: by tenant
    bool sql_as_engine = false;  // without a URL: sql steps run with the engine's own login
    std::string sql_role;        // what they run as; empty: the login itself
    steps::SqlSettings sql_settings() const {
        steps::SqlSettings settings;
        settings.engine = connect;
        settings.url = sql_url;
        settings.as_engine = sql_as_engine;
        settings.role = sql_role;
        return settings;
    }
    http::Outbound outbound;  // where calls that users configure may go
    steps::TargetSettings targets;
    int outbox_workers = 2;
    engine::EventBus* events = nullptr;  // for an embedder: hears what is committed here
    std::size_t runs_max = engine::WorkerOptions{}.runs_max;
    std::size_t bytes_max = engine::WorkerOptions{}.bytes_max;
    Duration drain_timeout = engine::WorkerOptions{}.drain_timeout;
    std::optional<Duration> retention;  // none: closed runs are kept forever
    std::string version = "dev";
    std::string link_secret;  // signs links and callback tokens; empty: there are none
    Vault vault;              // for credentials; without a key they cannot be used
    // How people and steps reach this server, without a slash at the end. Empty: as it listens.
    std::string public_url;
    Duration event_retention = std::chrono::hours(24 * 7);  // of events that were matched
    std::optional<Duration> audit_retention;  // none: what callers did is kept forever
    // C++ workflows and steps beside the built-in ones; what these give outlives serve().
    std::function<void(steps::CodeRegistry&)> add_steps;
    std::function<const plan::CodePlan*(std::string_view name, std::string_view version)> find_plan;
    bool only_code = false;  // leave the runs of graphs to other processes
    // Called after the commit that closed a run, on a worker's thread.
    std::function<void(const engine::ClosedRun&)> on_closed;
    // Goes on beside the first worker, with its connections, until the process stops.
    std::function<asio::awaitable<void>(pg::Pool&)> meanwhile;
    std::stop_token stop;  // does what SIGTERM does
    // Called when there is a sandbox: where its model answers, its key, and where email goes now.
    std::function<void(std::string url, std::string key, const steps::EmailSettings&)> on_sandbox;
    TraceOptions traces;
    // Called once, when the workers work and the ports are open; 0: there is none.
    std::function<void(std::uint16_t port, std::uint16_t metrics_port)> on_ready;
    // Called when the first signal came.
    std::function<void()> on_stopping;
    // Ends the process, whatever still hangs in it: called on a thread of its own when the time to
    // stop is over, and soon after a second signal. For a program of our own; empty: never.
    std::function<void()> leave;
    // Called when a service in the background begins, and begins again; for tests.
    std::function<void(std::string_view service)> before_service;
};

// Runs worker threads and the port until SIGTERM or SIGINT, then drains: with drain_timeout and a
// second and a half more it has ended, also when the database does not answer. A second signal
// stops at once. Returns the exit code of the process.
int serve(ServeOptions options);

}  // namespace pawl::host
