#pragma once

#include "model/events/signal_kind.hpp"
#include "store/store.hpp"

#include <compare>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pawl::store {

// The tables and functions of the schema `pawl`, in memory: what sql/functions/runs does, in
// the same order. Synchronous and deterministic (ordered maps, time only from `now`), so a
// simulation can drive it directly. Each call is one transaction: one that throws changes nothing.
class MemTables {
public:
    Instant now{};              // the database's clock; the driver of the tables sets it
    bool checks_leases = true;  // off: to see that a simulation notices

    std::vector<Existing> start_runs(const StartBatch& batch);
    Claimed claim_runs(const ClaimParams& params);
    std::vector<LogRow> leased_runs(Bucket bucket, WorkerId worker, const std::vector<RunId>& held)
        const;
    Instant commit_runs(const CommitBatch& batch);
    std::vector<RunId> mend_runs(Bucket bucket, const std::vector<RunId>& runs);
    std::vector<Signal> pending_signals(
        Bucket bucket, WorkerId worker, const std::vector<RunId>& held
    ) const;
    std::vector<RunId> send_signals(Bucket bucket, const std::vector<NewSignal>& signals);
    std::vector<bool> publish_events(Bucket bucket, const std::vector<OutsideEvent>& events);
    Matched match_inbox(Bucket bucket, int limit);

    Instant register_worker(const WorkerInfo& worker);
    Instant heartbeat(WorkerId worker);
    void retire_worker(WorkerId worker);
    std::vector<SweptWorker> sweep_dead_workers(Duration ttl);

    std::vector<Event> load_log(Bucket bucket, RunId run) const;
    bool request_cancel(Bucket bucket, RunId run, const CancelOrder& order);
    bool enter_lock(LockPlace place);
    void leave_locks(const std::function<bool(const LockPlace&)>& leaves);
    void send_signal(Bucket bucket, RunId run, std::string kind, json::value data);
    std::optional<RunDetails> find_run(Tenant tenant, RunId run) const;
    RunPage list_runs(Tenant tenant, const RunFilter& filter) const;
    std::optional<EarlierChild> earlier_child(const CallBefore& call) const;

    Applied apply_workflow(TenantId tenant, const Definition& definition);
    std::optional<WorkflowVersion> find_workflow(TenantId tenant, const std::string& name) const;
    std::optional<WorkflowVersion> find_version(WorkflowId id, std::int32_t version) const;
    std::optional<WorkflowVersion> find_version_by_name(
        TenantId tenant, const std::string& name, std::int32_t version
    ) const;
    std::vector<WorkflowVersion> list_workflows(TenantId tenant, const WorkflowFilter& filter)
        const;
    std::vector<WorkflowVersion> list_versions(TenantId tenant, const std::string& name) const;
    std::optional<Applied> activate_workflow(
        TenantId tenant, const std::string& name, std::optional<std::int32_t> version
    );
    bool deactivate_workflow(TenantId tenant, const std::string& name);

    Health health(Bucket bucket) const;

    // For invariants: what is open, leased, closed.
    struct OpenRun {
        RunId id;
        std::string state;  // ready, leased, parked
        std::optional<WorkerId> worker;
        Instant due_at{};
    };
    std::vector<OpenRun> open_runs(Bucket bucket) const;
    std::vector<RunId> closed_runs(Bucket bucket) const;
    bool is_alive(WorkerId worker) const { return workers_.contains(worker); }
    std::size_t dead_letter_count() const { return dead_letters_.size(); }
    std::size_t subscription_count() const { return subscriptions_.size(); }
    std::vector<OpenTask> open_tasks(Bucket bucket) const;
    // What is wrong with the limits: too many inside, a run that waits for nothing, a place without
    // an owner. Empty: nothing.
    std::string flow_problem(Bucket bucket) const;
    std::size_t waiting_count() const { return waits_.size(); }
    std::size_t gate_count() const { return gates_.size(); }
    void set_limit(const std::string& gate, std::optional<std::int32_t> limit);

private:
    enum class LiveState { ready, leased, parked, queued };
    enum class Slot { none, held, to_take, without, gathering };
    struct LiveRun {
        std::optional<WorkerId> worker;
        Instant due_at{};
        std::int32_t tenant = 1;
        WorkflowId workflow = 0;
        std::int32_t version = 1;
        LiveState state = LiveState::ready;
        std::int16_t priority = 0;
        std::string subject;
        json::value flow;
        Slot slot = Slot::none;
    };
    struct Gate {
        std::int32_t limit = 1;
        std::int64_t held = 0;
        bool look = false;  // it got room while runs wait
    };
    struct Group {
        RunId run;
        Instant first_at{};
        std::int64_t count = 0;
    };
    struct Wait {
        std::string gate;
        Instant rank{};
    };
    struct ClosedRun {
        Close close;
        Instant closed_at{};
    };
    struct Worker {
        WorkerInfo info;
        Instant beat_at{};
    };
    struct Workflow {
        std::int32_t tenant = 1;
        std::string name;
        std::int32_t version = 1;  // what a start uses
        bool active = true;
    };
    struct InboxRow {
        OutsideEvent event;
        Instant at{};
    };
    struct Subscription {
        std::int32_t tenant = 1;
        std::string event;
        std::string key;
        Instant since{};
    };
    using RunKey = std::pair<Bucket, RunId>;
    using GateKey = std::pair<Bucket, std::string>;
    using TurnKey = std::tuple<Bucket, std::string, Instant, RunId>;
    using InboxKey = std::pair<Bucket, std::int64_t>;
    using SubscriptionKey = std::tuple<Bucket, RunId, std::uint32_t, std::int16_t>;
    using TaskKey = std::tuple<Bucket, RunId, std::uint32_t>;
    using ReentryKey = std::tuple<Bucket, std::int32_t, WorkflowId, std::string>;
    using ReadyKey = std::tuple<Bucket, std::int16_t, Instant, RunId>;  // the claim index
    using CorrelationKey = std::tuple<Bucket, std::int32_t, WorkflowId, std::string>;
    using SignalKey = std::tuple<Bucket, RunId, std::int64_t>;

    void assert_worker(WorkerId worker) const;
    bool has_event(const RunKey& run, std::int32_t seq) const;
    void check_new(const CommitBatch& batch) const;
    bool is_held(const CommitBatch& batch, RunId run) const;
    // Those of a batch that is sent again about which there is nothing left to do.
    std::set<RunId> through(const CommitBatch& batch) const;
    void check_held(const CommitBatch& batch) const;
    void append(const CommitBatch& batch);
    void close(Bucket bucket, const Close& close);
    void park(const CommitBatch& batch, const Park& park);
    void wake_signalled(const CommitBatch& batch);
    bool has_signal(const RunKey& run) const;
    void erase_signals(const RunKey& run);
    std::int64_t release_runs(WorkerId worker);
    std::vector<Existing> start_unguarded(const StartBatch& batch);
    bool is_lost_lease(const StartBatch& batch, const NewRun& run) const;

    // mem_tables_events.cpp
    bool leave_signal(const RunKey& key, SignalKind kind, json::value data);
    bool was_delivered(const SubscriptionKey& subscription, const std::string& event) const;
    bool fits(const SubscriptionKey& key, const Subscription& subscription, const InboxRow& row)
        const;
    const InboxRow* oldest_for(const SubscriptionKey& key) const;  // null: none
    void deliver(const SubscriptionKey& key, const InboxRow& row);
    void forget_waits(Bucket bucket, RunId run, std::optional<std::uint32_t> token);
    void project(const CommitBatch& batch, const std::set<RunId>& done);
    // Takes those out that may not start.
    std::vector<Existing> guard_starts(StartBatch& batch);

    // mem_tables_claim.cpp
    struct Taken {
        std::vector<RunId> runs;
        std::vector<RunId> tickets;  // those that have gates to pass
    };
    void lease(const RunKey& key, WorkerId worker, Taken& taken);
    void take_pressing(const ClaimParams& params, std::size_t limit, Taken& taken);
    void take_beside(const ClaimParams& params, std::size_t limit, Taken& taken);
    Claimed claimed_by(const ClaimParams& params, const std::set<RunId>& taken);
    void take_in_turn(const ClaimParams& params, std::size_t limit, Taken& taken);
    Taken take_due(const ClaimParams& params, std::size_t limit, std::uint32_t round);

    // mem_tables_flow.cpp
    std::int32_t limit_of(const std::string& gate, std::int64_t base) const;
    bool has_waiting(const GateKey& key) const;
    bool has_cancel(const RunKey& run) const;
    void drop_idle(const GateKey& key);
    void queue_at(const RunKey& key, const std::string& gate);
    void unqueue(const RunKey& key);
    void leave_gates(Bucket bucket, const json::value& flow);
    std::vector<RunId> take_slots(Bucket bucket, const std::vector<RunId>& runs);
    bool take_turn(const RunKey& key);
    // Those that do not go on now.
    std::vector<RunId> pass_gates(Bucket bucket, const std::vector<RunId>& runs);
    // Starts that become part of a run that has not begun; gives the others their due times.
    std::vector<Existing> gather_starts(StartBatch& batch);
    RunId gather_start(StartBatch& batch, NewRun& start);
    std::optional<std::string> full_gate(const RunKey& key, const std::string& but);
    std::vector<RunId> admit_at(const GateKey& at, WorkerId worker, std::size_t limit);
    std::vector<RunId> admit_waiting(Bucket bucket, WorkerId worker, std::size_t limit);

    void put_live(RunKey key, LiveRun run);  // by value: it may be the key of the old one
    void erase_live(const RunKey& key);

    std::optional<RunDetails> open_details(const RunKey& key) const;
    std::optional<RunDetails> closed_details(const RunKey& key) const;
    void add_start(const RunKey& key, RunDetails& details) const;
    const json::value* start_data(Bucket bucket, RunId run) const;  // of event 0; null: none
    std::optional<RunId> called_before(const CallBefore& call) const;
    bool has_correlation(Tenant tenant, RunId run, const std::string& key) const;
    std::optional<WorkflowId> workflow_id(TenantId tenant, const std::string& name) const;

    std::map<RunKey, std::map<std::int32_t, Event>> events_;
    std::map<RunKey, LiveRun> live_;
    std::set<ReadyKey> ready_;
    std::map<RunKey, ClosedRun> closed_;
    std::map<RunKey, Close> dead_letters_;
    std::map<WorkerId, Worker> workers_;
    std::map<CorrelationKey, RunId> correlations_;
    std::map<SignalKey, Signal> signals_;
    std::vector<LockPlace> locks_;  // in the order of their places
    std::map<InboxKey, InboxRow> inbox_;
    std::set<InboxKey> inbox_pending_;
    std::set<std::tuple<Bucket, std::int32_t, std::string>> inbox_ids_;
    std::map<SubscriptionKey, Subscription> subscriptions_;
    std::set<SubscriptionKey> unchecked_;
    std::map<TaskKey, OpenTask> open_tasks_;
    std::map<ReentryKey, std::pair<RunId, Instant>> reentries_;  // the last, and when it entered
    std::map<GateKey, Gate> gates_;
    std::map<RunKey, Wait> waits_;
    std::map<GateKey, Group> groups_;
    std::map<RunKey, RunId> gathered_;  // by the start
    std::set<TurnKey> turns_;
    std::map<GateKey, Instant> rates_;
    std::map<std::string, std::int32_t> flow_limits_;
    std::map<WorkflowId, Workflow> workflows_;
    std::map<std::pair<WorkflowId, std::int32_t>, WorkflowVersion> versions_;
    std::int64_t next_signal_ = 1;
    std::int64_t next_inbox_ = 1;
};

}  // namespace pawl::store
