#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/version_share.hpp"
#include "store/author.hpp"
#include "store/earlier_child.hpp"
#include "store/outside_event.hpp"
#include "store/projection.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;

using Bucket = std::int16_t;
using WorkflowId = std::int32_t;
using TenantId = std::int32_t;

inline constexpr TenantId default_tenant = 1;

// Whose rows an operation may see, and where they lie.
struct Tenant {
    TenantId id = default_tenant;
    Bucket bucket = 0;
};

// --- Starting -----------------------------------------------------------------------------------

struct NewRun {
    RunId id;
    std::int32_t tenant = 1;
    WorkflowId workflow = 0;
    std::int32_t version = 1;
    std::string subject;            // empty: none
    std::int16_t priority = 0;      // lower is sooner
    std::optional<Instant> due_at;  // none: now
    std::string correlation;        // empty: none; else at most one run per (tenant, workflow, key)
    json::value data;               // of event 0 (plan::run_started)
    bool lease = false;             // hold it for `StartBatch::worker` at once
    // Whether the subject may have another run of the workflow; means nothing without a subject.
    Reentry reentry = Reentry::always;
    Duration reentry_after{};   // of Reentry::after
    bool has_enter_if = false;  // its version asks what the person must be like
    bool is_child = false;      // of another run: rules of entry are not for it
    json::value flow;  // what it brings to the limits (flow_ticket); null: nothing holds it back
    // By which row its version was chosen (Head::stamp): not started when that has changed since.
    // 0: never mind. A resend minds no more, since the first try may have started it.
    std::int64_t head = 0;
};

struct StartBatch {
    Bucket bucket = 0;
    std::optional<WorkerId> worker;
    bool resend = false;  // the outcome of this same batch is unknown
    std::vector<NewRun> runs;
};

// A run that was not started because its correlation key is taken, or because its subject has a run
// and may not have another, or because it was gathered into one that has not begun. A run with its
// own id here was started, but no worker holds it: a limit makes it wait. One without an id was not
// started, because its workflow has changed (NewRun::head), or because its person may not enter.
struct Existing {
    RunId requested;
    RunId existing;
    bool kept_out = false;  // by enter_if

    bool queued() const { return requested == existing; }
    bool outdated() const { return existing == RunId{} && !kept_out; }
};

// --- Working ------------------------------------------------------------------------------------

struct LogRow {
    RunId run;
    Event event;
    bool readable = true;  // false: its data cannot be read here and is left out
};

struct Signal {
    std::int64_t id = 0;
    RunId run;
    std::string kind;  // the name of a SignalKind
    json::value data;  // model/events/signal_data.hpp
};

// How a run is asked to stop.
struct CancelOrder {
    std::string reason;
    bool force = false;  // at once: nothing is waited for or undone
};

// A message to be left for a run.
struct NewSignal {
    RunId run;
    std::string kind;  // the name of a SignalKind
    json::value data;
};

// What came of matching events against waiting runs.
struct Matched {
    int delivered = 0;
    bool more = false;  // there is something left to do
};

struct ClaimParams {
    Bucket bucket = 0;
    WorkerId worker;
    int limit = 100;
    // Which claim this is: when there is more due than the limit, it says whose turn it is.
    std::uint32_t turn = 0;
    // Given: a few runs of each tenant that is not among these, and no gates are passed.
    std::optional<std::vector<TenantId>> beside = std::nullopt;
};
inline constexpr int beside_each = 2;  // of a tenant

// A run that cannot be claimed, and why.
struct Unclaimable {
    RunId run;
    std::string reason;
};

// Logs of the claimed runs, ordered by run and seq, and signals waiting for any run this worker
// holds.
struct Claimed {
    std::vector<LogRow> log;
    std::vector<Signal> signals;
};

struct Park {
    RunId run;
    std::optional<Instant> due_at;  // none: until a signal comes
};

struct Close {
    RunId run;
    Instant started_at{};
    std::int32_t tenant = 1;
    WorkflowId workflow = 0;
    std::int32_t version = 1;
    RunStatus status = RunStatus::completed;
    std::string subject;
    json::value output;
    json::value error;
    std::string node;  // where a failed run gave up
};

// Everything a worker commits at once. Releasing a run is parking it with due_at = now.
struct CommitBatch {
    Bucket bucket = 0;
    WorkerId worker;
    bool resend = false;
    // Parked by a worker that cannot carry them on: messages that are there do not make them due.
    bool put_off = false;
    std::vector<LogRow> events;
    std::vector<Park> parks;
    std::vector<Close> closes;
    std::vector<Signal> consumed;
    Projections projections;

    bool empty() const {
        return events.empty() && parks.empty() && closes.empty() && consumed.empty() &&
               projections.empty();
    }
};

// The runs of a batch, each once: those that close first, then those that park, each in the batch's
// order, then the others.
std::vector<RunId> runs_of(const CommitBatch& batch);

// A token's place in the queue for a critical section.
struct LockPlace {
    Tenant tenant;
    std::string key;
    RunId run;
    std::uint32_t token = 0;
};

struct WorkerInfo {
    WorkerId id;
    std::string host;
    std::int32_t pid = 0;
    std::string version;
};

struct SweptWorker {
    WorkerId worker;
    std::int64_t runs = 0;
};

// --- Configuration and looking ------------------------------------------------------------------

struct WorkflowVersion {
    WorkflowId id = 0;
    std::int32_t tenant = 1;
    Bucket bucket = 0;
    std::int32_t version = 1;
    std::string name;
    Instant created_at{};
    json::value definition;  // canonical form, or as the view workflow_definitions got it
    bool active = true;      // a start may use it
    std::string label;       // semantic version; empty: none
    bool draft = false;      // nothing may start it before it was activated
    std::optional<Instant> retired_at = {};      // nothing may start it since
    std::vector<VersionShare> canary = {};       // active beside the head of the workflow
    std::optional<std::string> off_reason = {};  // why the workflow is switched off
    std::string owner = {};                      // who answers for the workflow; empty: not said
    std::string changed_by = {};                 // who changed its versions last; empty: not known
    std::optional<Instant> changed_at = {};
};

// What a start by its name gets: the head, and which others have a share.
struct StartVersion {
    WorkflowId workflow = 0;
    std::int32_t version = 1;
    std::vector<VersionShare> canary = {};
};

struct WorkflowFilter {
    bool inactive = false;  // also those that cannot be started
    std::string after;      // keyset cursor: names that come after this one
    int limit = 1000;
};

struct Applied {
    WorkflowId id = 0;
    std::int32_t version = 1;
    bool changed = false;  // false: the same definition is active already
};

struct RunSummary {
    RunId id;
    std::string workflow;
    std::int32_t version = 1;
    std::string status;  // queued, waiting, running | completed, failed, cancelled
    std::string subject;
    Instant started_at{};
    std::optional<Instant> closed_at;
    std::optional<Instant> due_at;
    json::value output;
    json::value error;
};

// One run with what its event 0 says.
struct RunDetails : RunSummary {
    std::int32_t tenant = 1;
    WorkflowId workflow_id = 0;
    std::int16_t priority = 0;
    json::value input;
    std::string correlation_id;   // empty: none
    std::string triggered_by;     // empty: not known
    std::optional<RunId> parent;  // the run that this one was made from
    std::optional<RunId> retried_as;
};

// Conditions that are not set hold for every run.
struct RunFilter {
    std::string workflow;
    std::vector<std::string> status;  // any of these
    std::string subject;
    std::string correlation_id;
    std::optional<Instant> created_after;   // at that instant or later
    std::optional<Instant> created_before;  // earlier
    // No index has these: runs that meet the others are looked through, the newest first.
    std::string error;               // a text in the error, in any case
    std::vector<std::string> where;  // on the input, all of them (read_data_condition)
    int look_max = 2000;             // how many open runs are looked through, and closed ones
    std::optional<RunId> before;     // keyset cursor: runs older than this one
    int limit = 50;
    // How many of the newest closed runs of all tenants are looked at before the index of the
    // tenant is asked.
    int scan_max = 1000;
};

struct RunPage {
    std::vector<RunSummary> runs;  // newest first
    // Where the next page begins (RunFilter::before); none: there is nothing older.
    std::optional<RunId> next;
    // How many runs were looked through; none: the filter did not ask for it.
    std::optional<std::int64_t> scanned = std::nullopt;
};

// What an operator watches.
struct Health {
    std::int64_t ready = 0;
    double oldest_ready_age_s = 0;
    double xmin_age_s = 0;  // of the oldest snapshot held open
    std::int64_t workers = 0;
};

// The seam to the database. PgStore is the real one, MemStore the one simulations trust; one
// conformance suite runs over both. Operations throw Failure when the world fails (then the outcome
// may be unknown: resend) and Failure with Errc::fenced when this worker was declared dead. One
// call at a time per lane; lanes are the implementation's matter.
class Store {
public:
    virtual ~Store() = default;

    virtual asio::awaitable<std::vector<Existing>> start_runs(const StartBatch& batch) = 0;
    virtual asio::awaitable<Claimed> claim_runs(ClaimParams params) = 0;
    // Of due runs, up to `limit`: those that make a claim fail, put off by a minute.
    virtual asio::awaitable<std::vector<Unclaimable>> put_off_unclaimable(
        Bucket bucket, WorkerId worker, int limit
    ) = 0;
    // Runs leased to this worker that are not among `held`: the answer to a claim was lost.
    virtual asio::awaitable<std::vector<LogRow>> leased_runs(
        Bucket bucket, WorkerId worker, std::vector<RunId> held
    ) = 0;
    // Returns the database's time of the commit.
    // All of it or nothing: Errc::not_held, with the runs in its context, when the database does
    // not have one of them with this worker.
    virtual asio::awaitable<Instant> commit_runs(const CommitBatch& batch) = 0;
    // Removes what is still open of runs that are closed; returns those.
    virtual asio::awaitable<std::vector<RunId>> mend_runs(
        Bucket bucket, std::vector<RunId> runs
    ) = 0;
    // Messages for those of these runs that the worker holds, up to 1000.
    virtual asio::awaitable<std::vector<Signal>> pending_signals(
        Bucket bucket, WorkerId worker, std::vector<RunId> held
    ) = 0;
    // Leaves messages for runs, and wakes those that no worker holds. Returns the runs that are
    // open; nothing was left for the others.
    virtual asio::awaitable<std::vector<RunId>> send_signals(
        Bucket bucket, std::vector<NewSignal> signals
    ) = 0;

    // Takes events in; says for each whether it is new.
    virtual asio::awaitable<std::vector<bool>> publish_events(
        Bucket bucket, std::vector<OutsideEvent> events
    ) = 0;
    // Delivers events to runs that wait for them, about `limit` at a time. To be called after
    // events were published or subscriptions committed, and from time to time.
    virtual asio::awaitable<Matched> match_inbox(Bucket bucket, int limit) = 0;

    // Asks to enter a critical section. True: inside; else a signal `lock` comes when it is. May be
    // repeated.
    virtual asio::awaitable<bool> enter_lock(LockPlace place) = 0;
    // Leaves it, or the queue for it; the next one inside gets a signal. May be repeated.
    virtual asio::awaitable<void> leave_lock(LockPlace place) = 0;

    virtual asio::awaitable<Instant> register_worker(WorkerInfo worker) = 0;
    // Returns the database's time; throws Errc::fenced when the worker is gone.
    virtual asio::awaitable<Instant> heartbeat(WorkerId worker) = 0;
    virtual asio::awaitable<void> retire_worker(WorkerId worker) = 0;
    virtual asio::awaitable<std::vector<SweptWorker>> sweep_dead_workers(Duration ttl) = 0;

    virtual asio::awaitable<std::vector<Event>> load_log(Bucket bucket, RunId run) = 0;
    // False when there is no such open run.
    virtual asio::awaitable<bool> request_cancel(Bucket bucket, RunId run, CancelOrder order) = 0;
    // None when there is no such run or it is another tenant's.
    virtual asio::awaitable<std::optional<RunDetails>> find_run(Tenant tenant, RunId run) = 0;
    virtual asio::awaitable<RunPage> list_runs(Tenant tenant, RunFilter filter) = 0;

    // None: there was none, or it is not kept any more.
    virtual asio::awaitable<std::optional<EarlierChild>> earlier_child(CallBefore call) = 0;

    // Names of workflows are the tenant's own.
    virtual asio::awaitable<Applied> apply_workflow(
        Author author, const Definition& definition
    ) = 0;
    // The version that a start uses; when it is not `active`, it may not be started.
    virtual asio::awaitable<std::optional<WorkflowVersion>> find_workflow(
        TenantId tenant, std::string name
    ) = 0;
    virtual asio::awaitable<std::optional<WorkflowVersion>> find_version(
        WorkflowId id, std::int32_t version
    ) = 0;
    virtual asio::awaitable<std::optional<WorkflowVersion>> find_version_by_name(
        TenantId tenant, std::string name, std::int32_t version
    ) = 0;
    // By name.
    virtual asio::awaitable<std::vector<WorkflowVersion>> list_workflows(
        TenantId tenant, WorkflowFilter filter
    ) = 0;
    // Every version there has been, newest first, 1000 at most.
    virtual asio::awaitable<std::vector<WorkflowVersion>> list_versions(
        TenantId tenant, std::string name
    ) = 0;
    // Makes a version that there has been the one a start uses; without a number, makes a workflow
    // active again. No new version is made. Nothing: there is no such workflow or version.
    virtual asio::awaitable<std::optional<Applied>> activate_workflow(
        Author author, std::string name, std::optional<std::int32_t> version
    ) = 0;
    // No more starts; runs under way go on. False: there is no such workflow.
    virtual asio::awaitable<bool> deactivate_workflow(Author author, std::string name) = 0;

    virtual asio::awaitable<Health> health(Bucket bucket) = 0;
};

}  // namespace pawl::store
