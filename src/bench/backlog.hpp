#pragma once

#include "base/clock.hpp"
#include "bench/rig.hpp"
#include "pg/connection.hpp"

#include <cstdint>
#include <optional>

namespace pawl::bench {

struct Backlog {
    std::int32_t workflow = 0;
    std::int64_t runs = 0;
    std::optional<Instant> due_at;  // none: now
};

// The workflow of one no-op step that backlogs are made of.
asio::awaitable<void> make_backlog_workflow(host::WorkerThread& thread, std::int32_t& workflow);

// The same with a step that reports its first line (bench_mark).
asio::awaitable<void> make_recovery_workflow(host::WorkerThread& thread, std::int32_t& workflow);

// Writes runs without a worker, in large batches.
void fill_backlog(const pg::ConnectOptions& connect, Backlog backlog);

// Waits on the worker's thread until an instant of the database's clock.
asio::awaitable<void> wait_until(host::WorkerThread& thread, Instant at);

}  // namespace pawl::bench
