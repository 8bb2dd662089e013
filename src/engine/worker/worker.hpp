#pragma once

#include "base/seal.hpp"
#include "engine/core/core.hpp"
#include "engine/core/program.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/observe/tracer.hpp"
#include "engine/start/start_limits.hpp"
#include "engine/start/start_request.hpp"
#include "steps/executor.hpp"
#include "store/store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pawl::engine {

namespace asio = boost::asio;

struct WorkerOptions {
    store::Bucket bucket = 0;
    std::string version = "dev";
    std::size_t runs_max = 2000;
    std::size_t bytes_max = CoreOptions{}.bytes_max;
    std::size_t batch_events_max = 1000;
    // Commits under way at once, each on its own connection: one waits for the disk while the other
    // runs.
    int commit_lanes = 2;
    // Of steps that wait for something outside; one tenant's leave room for others.
    std::size_t steps_max = 1024;
    int claim_max = 500;
    Duration hold_below = std::chrono::seconds(1);
    Duration heartbeat_every = std::chrono::seconds(2);
    // Four missed heartbeats. With the sweep's own period this keeps recovery under 15 s.
    Duration dead_after = std::chrono::seconds(8);
    Duration drain_timeout = std::chrono::seconds(8);
    Duration poll_min = std::chrono::milliseconds(50);
    Duration poll_max = std::chrono::seconds(1);
    // What steps that answer later are given: signed with this, and sent to this server.
    Seal seal;
    std::string public_url;
    // The C++ workflows of this process, by name and version; what it gives outlives the worker.
    std::function<const plan::CodePlan*(std::string_view name, std::string_view version)> find_plan;
    bool only_code = false;    // leave the runs of graphs to other processes
    Tracer* tracer = nullptr;  // none: nothing is traced
};

// One engine thread: claims runs, carries out their steps, commits what came of it. Uses the store
// and the executor it was given, which outlive it, from one thread.
class Worker {
public:
    Worker(
        asio::any_io_executor executor,
        store::Store& store,
        const steps::Executor& steps,
        Metrics& metrics,
        WorkerOptions options
    );
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Works until stop(), then drains within the deadline and releases what it could not finish. A
    // database that does not answer keeps it no longer than a second more.
    asio::awaitable<void> run();
    void stop();
    // Drains until then instead of for as long as the options say.
    void stop(Steady::time_point until);
    // Gives up at once; the runs held become ready when this worker is declared dead.
    void stop_now();

    // Takes no more runs and gives back those it holds as they reach a commit; it stays registered,
    // and runs that are started here are ready for others. Until work_again().
    void rest();
    void work_again();
    bool resting() const;

    // There may be work: look now instead of at the next poll.
    void wake();

    // Starts runs, durable when it returns. This worker carries them on when it has room, else the
    // first claimer does.
    asio::awaitable<std::vector<Started>> start(std::vector<StartRequest> requests);
    // The same for requests of several callers: one that cannot be started is Started::refused.
    asio::awaitable<std::vector<Started>> start_each(std::vector<StartRequest> requests);
    // The version of a workflow that a start uses, by its key where several are active; null when
    // there is none, or it is not active or cannot be read.
    asio::awaitable<ProgramPtr> find_program(
        store::TenantId tenant, std::string name, std::string key = ""
    );

    // A version by number or label; null when a start may not use it.
    asio::awaitable<ProgramPtr> find_active_version(
        store::TenantId tenant, std::string name, std::string version
    );

    asio::awaitable<ProgramPtr> find_version(store::WorkflowId workflow, std::int32_t version);

    bool working() const;
    // Whether the database has answered a heartbeat lately; from any thread.
    bool heard() const;
    std::size_t held() const;
    std::size_t room() const;
    // Whether a claim of a moment ago has looked at events.
    bool has_just_matched() const;
    Instant now() const;
    WorkerId id() const;

    // By which child runs are admitted; null: they are not limited. Set before run(), outlives it.
    StartLimits* limits = nullptr;

    // Called after the commit that closed a run.
    std::function<void(const ClosedRun&)> on_closed;
    // Called after every commit, with the events that it wrote; must not block.
    std::function<void(const std::vector<store::LogRow>&)> on_committed;
    // Called when runs were made ready that other processes might take.
    std::function<void()> on_ready_elsewhere;
    // Called after a commit that may match: a run began to wait for an event, or published one.
    std::function<void()> on_matchable;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::engine
