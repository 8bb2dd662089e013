#pragma once

#include "base/complaint.hpp"
#include "base/fair_places.hpp"
#include "base/log.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/counted.hpp"
#include "engine/async/gate.hpp"
#include "engine/core/program_cache.hpp"
#include "engine/worker/commit_refusal.hpp"
#include "engine/worker/session.hpp"
#include "engine/worker/worker.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <variant>

namespace pawl::engine {

// A caller waiting for its starts.
struct StartTicket {
    explicit StartTicket(asio::any_io_executor executor) : done(std::move(executor)) {}
    std::vector<Started> started;
    std::size_t waiting = 0;
    std::exception_ptr failed;
    Gate done;
};

struct PendingStart {
    store::NewRun run;
    ProgramPtr program;
    Instant asked{};
    std::shared_ptr<StartTicket> ticket;
    std::size_t index = 0;  // in ticket->started
    SessionRef session;     // in which it was asked for
};

// The versions of a run, ready to run.
struct RunVersions {
    ProgramPtr current;           // null: one of them is not known here
    ProgramPtr next;              // the one that it is to become, or the current one
    std::vector<ProgramPtr> all;  // empty: it has had one and keeps it
    std::int32_t missing = 0;
};

// The outcome of a batch that was sent.
struct Commit {
    Refusal refusal = Refusal::none;
    Error error = {};
};

// Whether a child runs in the place of the run that waits for it.
struct ChildPlace {
    bool waits = true;    // whether a run waits for the child
    bool needed = false;  // there is no other place for it
    bool taken = false;
};

// Starts of a tenant that had to wait for a transaction that it holds open. They go one batch after
// the other beside those of other tenants, until none has had to wait for a while.
struct StartLane {
    std::deque<PendingStart> starts;
    bool running = false;
    Steady::time_point until{};
};

struct LeftRun {
    int times = 0;
    Instant last{};
    std::int32_t seq = 0;  // of its last event then
};

// A run whose workflow this program does not carry on.
struct ForeignRun {
    RunId run;
    ProgramPtr program;
    std::int32_t last_seq = 0;
    bool held = false;  // its log says already that it waits for a program
};

struct Worker::Impl {
    Impl(
        Worker& given_owner,
        asio::any_io_executor given_executor,
        store::Store& given_store,
        const steps::Executor& given_steps,
        Metrics& given_metrics,
        WorkerOptions given_options
    );

    Worker& owner;
    asio::any_io_executor executor;
    store::Store& store;
    const steps::Executor& steps;
    Metrics& metrics;
    WorkerOptions options;
    Rng rng;
    IdMaker ids{rng};
    DbClock clock;
    SessionPtr session;  // null until the worker is registered
    ProgramCache programs;
    std::map<store::WorkflowId, WorkflowMetrics*> counters;  // those of `metrics`, without its lock
    // Runs that were left to others, and how often.
    std::unordered_map<RunId, LeftRun> left;

    std::vector<std::unique_ptr<Gate>> lane_gates;
    Gate claim_gate;
    Gate timer_gate;
    std::optional<Instant> timer_set;  // what tick() waits for
    Gate start_gate;
    Gate stop_gate;
    Gate progress_gate;
    Gate beat_gate;
    CoroutineGroup tasks;
    CoroutineGroup step_tasks;

    std::deque<PendingStart> starts;
    std::size_t starts_in_flight = 0;
    std::map<store::TenantId, StartLane> start_lanes;
    FairPlaces<StepOrder> places;  // of steps that wait for something outside
    // Read by other threads, for /readyz.
    std::atomic<bool> registered{false};
    std::atomic<Steady::time_point> heard_at{};
    bool renewing = false;
    bool more_ready = false;  // the last claim was full
    std::uint32_t claim_turn = 0;
    Steady::time_point looked_beside{};
    Steady::time_point matched_at{};  // by a claim
    Steady::time_point looked_for_leases = Steady::now();
    // Runs whose place is given to a child that they do not know of yet, and the step that starts
    // it.
    std::unordered_map<RunId, plan::ExecuteStep> lent;
    std::atomic<bool> stopping{false};
    bool resting = false;
    bool stopped_now = false;
    Steady::time_point drain_until{};
    bool finished = false;
    Complaint registering{"the worker cannot register yet"};
    Complaint beating{"the heartbeat failed"};

    Instant now() const { return clock.now(); }
    Core& core() const { return session->core; }
    RunTraces* traces() const { return session->traces.get(); }

    // worker.cpp: the life of a session
    asio::awaitable<void> run();
    asio::awaitable<void> keep_going(std::function<asio::awaitable<void>()> loop);
    asio::awaitable<bool> register_first();
    asio::awaitable<std::optional<WorkerId>> register_id();
    asio::awaitable<void> register_session();
    asio::awaitable<void> renew_session(SessionPtr lost, std::string why);
    asio::awaitable<void> beat();
    asio::awaitable<void> beat_once();
    asio::awaitable<void> tick();
    asio::awaitable<void> pause(Duration duration);
    Duration backoff(int failures);

    // worker_stop.cpp
    asio::awaitable<void> drain();
    void refuse_starts();
    asio::awaitable<void> leave();
    asio::awaitable<void> sign_off();

    // worker_commit.cpp: commits and steps
    asio::awaitable<void> lane(std::size_t index);
    // Until its outcome is known. `tries`: for failures that may pass.
    asio::awaitable<Commit> commit(Flight& flight, int tries);
    asio::awaitable<bool> keep_apart(Flight& flight, std::optional<Counted>& doubt);
    asio::awaitable<bool> takes_writes();
    void note_portion(const std::vector<store::Signal>& signals);
    void settle(Flight flight, Instant sent);
    void pump();
    void execute(const StepOrder& order);
    // What to ask outside for; none when there is nothing to wait for.
    std::optional<steps::StepRequest> prepare(const StepOrder& order);
    void begin(const StepOrder& order, steps::StepRequest request);
    void fill_places();
    std::optional<steps::Callback> callback_for(const StepOrder& order, const json::object& config)
        const;
    asio::awaitable<steps::StepOutcome> carry_out(
        const StepOrder& order, steps::StepRequest request
    );
    asio::awaitable<void> execute_outside(StepOrder order, steps::StepRequest request);
    void finish_step(const StepOrder& order, steps::StepOutcome outcome, Steady::time_point begun);
    void report_closed();
    WorkflowMetrics& counters_of(const Program& program);
    void count_retries(const Flight& flight);

    // worker_refused.cpp
    asio::awaitable<void> send(Flight flight);
    asio::awaitable<void> send_alone(std::shared_ptr<Flight> flight, SessionPtr begun);
    bool drop_named(Flight& part, const Commit& how);
    void forget_run(RunId run);
    void refuse(Flight part, const Commit& how);
    asio::awaitable<void> set_aside(RunId run, std::string why, SessionPtr begun);
    asio::awaitable<void> pause_run(SessionPtr begun, RunId run, std::string why);

    // worker_claim.cpp
    asio::awaitable<void> claim();
    bool asks_for_lost() const;
    asio::awaitable<void> put_off_unclaimable(int limit);
    asio::awaitable<void> find_lost(SessionPtr begun);
    asio::awaitable<std::size_t> claim_once(
        int limit, std::optional<std::vector<store::TenantId>> beside
    );
    asio::awaitable<std::size_t> adopt(
        std::vector<store::LogRow> log, SessionPtr begun, std::vector<store::Signal> signals = {}
    );
    std::string take_up(
        RunId run,
        const std::vector<Event>& log,
        const std::vector<store::Signal>& signals,
        const RunVersions& versions
    );
    asio::awaitable<void> hold(
        SessionPtr begun, RunId run, std::vector<Event> log, std::int32_t version, std::string why
    );
    // What it refers to must outlive the call.
    asio::awaitable<RunVersions> versions_of(
        const std::vector<Event>& log, const std::vector<store::Signal>& signals
    );
    asio::awaitable<void> leave_to_others(SessionPtr begun, std::vector<ForeignRun> runs);
    // Whether this process is one that carries runs of this version on.
    bool carries_on(const Program& program) const;

    // worker_call.cpp
    asio::awaitable<steps::StepOutcome> call_child(StepOrder order, steps::StepRequest request);
    asio::awaitable<std::variant<ProgramPtr, steps::StepOutcome>> find_called(
        store::TenantId tenant, json::object config, std::string key
    );
    asio::awaitable<std::optional<RunId>> find_child(
        plan::ExecuteStep step, std::string key, store::TenantId tenant, std::string workflow
    );
    std::optional<store::CallBefore> call_before(
        const StepOrder& order, const StartRequest& request
    ) const;
    asio::awaitable<steps::StepOutcome> start_child(StepOrder order, StartRequest request);
    // What hinders a child; none: it may start. `place` outlives the call.
    asio::awaitable<std::optional<steps::StepOutcome>> admit_child(
        StepOrder order, ChildPlace* place, store::Tenant tenant, json::value input
    );
    asio::awaitable<steps::StepOutcome> pass_lock(StepOrder order, steps::StepRequest request);
    // Whether the run still waits for the step: it may be cancelled, skipped or withdrawn.
    std::function<bool()> wanted_by(const StepOrder& order);

    // worker_start.cpp
    asio::awaitable<std::vector<Started>> start(std::vector<StartRequest> requests);
    asio::awaitable<std::vector<Started>> start_each(std::vector<StartRequest> requests);
    std::shared_ptr<StartTicket> queue_starts(std::vector<StartRequest> requests);
    asio::awaitable<void> start_loop();
    // `apart`: of one tenant, beside others; without leases.
    asio::awaitable<void> start_batch(std::vector<PendingStart> batch, bool apart = false);
    store::StartBatch with_leases(std::vector<PendingStart>& batch, bool apart);
    std::vector<PendingStart> gather_starts();
    void set_apart(PendingStart pending);
    asio::awaitable<void> start_apart(store::TenantId tenant);
    void settle_starts(
        std::vector<PendingStart>& batch, const std::vector<store::Existing>& existing, bool leased
    );
};

// True when the same call may simply be sent again.
bool is_passing(const Failure& failure);

}  // namespace pawl::engine
