#pragma once

#include "base/clock.hpp"
#include "cli/parse/command_line.hpp"
#include "cli/parse/door_flags.hpp"
#include "cli/parse/trace_flags.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

// What `worker` and `serve` have in common, as it was written.
struct WorkerFlags {
    int threads = 1;
    std::size_t runs_max = 0, runs_mib = 0;  // 0: the engine's default
    std::string functions_url;
    std::string functions_file;
    std::string messages_file;
    std::string model_file;  // with it, the workers csr, bdr, sdr and va are served
    std::string sql_url;
    bool sql_as_engine = false;
    std::string sql_role;
    Duration drain_timeout = std::chrono::seconds(8);
    std::optional<Duration> retention;
    Duration event_retention = std::chrono::hours(24 * 7);
    std::optional<Duration> audit_retention;
    std::string link_secret_file;
    std::string secret_key_file;
    std::string public_url;
    std::vector<std::string> allow_outbound;
    std::vector<std::string> target_limits;
    int outbox_workers = 2;
    TraceFlags traces;
    DoorFlags door;
};

void add_worker_flags(App& app, WorkerFlags& flags);

// Also of `dev`, which allows more without being asked.
void add_outbound_flag(App& app, std::vector<std::string>& allow, const char* what);

}  // namespace pawl::cli
