#pragma once

#include "engine/worker.hpp"
#include "pg/connection.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace pawl::host {

struct ServeOptions {
    pg::ConnectOptions connect;
    bool listen = true;  // /livez, /readyz and /metrics
    std::string listen_host = "127.0.0.1";
    std::uint16_t listen_port = 0;  // 0: any free one
    int threads = 1;
    std::string functions_url;
    std::string functions_key;
    std::size_t runs_max = engine::WorkerOptions{}.runs_max;
    Duration drain_timeout = engine::WorkerOptions{}.drain_timeout;
    std::optional<Duration> retention;  // none: closed runs are kept for ever
    std::string version = "dev";
    // Called once, when the workers work and the port is open.
    std::function<void(std::uint16_t port)> on_ready;
};

// Runs worker threads and the health pages until SIGTERM or SIGINT, then drains; a second signal
// stops at once. Returns the exit code of the process.
int serve(ServeOptions options);

}  // namespace pawl::host
