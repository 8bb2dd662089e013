#pragma once

#include "base/vault.hpp"
#include "engine/core/event_bus.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/services/keeper.hpp"
#include "engine/worker/worker.hpp"
#include "http/client.hpp"
#include "pg/pool.hpp"
#include "steps/code.hpp"
#include "steps/message_settings.hpp"
#include "store/pg/pg_store.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace pawl::host {

namespace asio = boost::asio;

struct ThreadOptions {
    pg::ConnectOptions connect;
    engine::WorkerOptions worker;
    steps::StepSettings steps;
    Vault vault;                         // for credentials of steps
    engine::EventBus* events = nullptr;  // hears what is committed; outlives the thread
    int outbox_workers = 2;              // of the thread that schedules
    http::Outbound outbound;             // where calls that users configure may go
    std::optional<Duration> retention;   // none: closed runs are kept forever
    Duration event_retention = std::chrono::hours(24 * 7);
    std::optional<Duration> audit_retention;  // none: what callers did is kept forever
    steps::MessageSettings messages;
    bool listen = true;    // for wake-ups by NOTIFY; one thread a process is enough
    bool schedule = true;  // fire cron schedules; likewise
    std::function<asio::awaitable<void>(pg::Pool&)> meanwhile;  // likewise; may be empty
    engine::KeeperOptions keeping;                              // of what goes on in the background
};

// A thread with everything a worker needs, not shared: event loop, connections, HTTP client. The
// registry and the metrics outlive it.
class WorkerThread {
public:
    WorkerThread(
        ThreadOptions options, const steps::CodeRegistry& registry, engine::Metrics& metrics
    );
    ~WorkerThread();

    // Set before start(): on_wake is called (on this thread) when another process tells of work,
    // on_tasks when there is something in the queue of tasks, on_jobs when there is a new job.
    std::function<void()> on_wake;
    std::function<void()> on_tasks;
    std::function<void()> on_jobs;
    void start();

    // From any thread.
    void stop();
    void stop(Steady::time_point until);
    void stop_now();
    void wake();
    void look_for_tasks();
    bool working() const;
    // Whether the database has answered a heartbeat lately.
    bool heard() const;
    bool ended() const;
    void join();

    // For work that belongs on this thread.
    asio::any_io_executor executor();
    engine::Worker& worker();
    store::PgStore& store();

private:
    void hear(const std::vector<pg::Notification>& heard);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::host
