#pragma once

#include "store/mem/mem_tables.hpp"

namespace pawl::store {

// The Store in memory: for tests and simulations. The tables must outlive it; several stores may
// share them, as several workers share a database.
class MemStore : public Store {
public:
    explicit MemStore(MemTables& tables) : tables_(tables) {}

    asio::awaitable<std::vector<Existing>> start_runs(const StartBatch& batch) override;
    asio::awaitable<Claimed> claim_runs(ClaimParams params) override;
    asio::awaitable<std::vector<LogRow>> leased_runs(
        Bucket bucket, WorkerId worker, std::vector<RunId> held
    ) override;
    asio::awaitable<Instant> commit_runs(const CommitBatch& batch) override;
    asio::awaitable<std::vector<Unclaimable>> put_off_unclaimable(
        Bucket bucket, WorkerId worker, int limit
    ) override;
    asio::awaitable<std::vector<RunId>> mend_runs(Bucket bucket, std::vector<RunId> runs) override;
    asio::awaitable<std::vector<Signal>> pending_signals(
        Bucket bucket, WorkerId worker, std::vector<RunId> held
    ) override;
    asio::awaitable<std::vector<RunId>> send_signals(Bucket bucket, std::vector<NewSignal> signals)
        override;
    asio::awaitable<std::vector<bool>> publish_events(
        Bucket bucket, std::vector<OutsideEvent> events
    ) override;
    asio::awaitable<Matched> match_inbox(Bucket bucket, int limit) override;

    asio::awaitable<Instant> register_worker(WorkerInfo worker) override;
    asio::awaitable<Instant> heartbeat(WorkerId worker) override;
    asio::awaitable<void> retire_worker(WorkerId worker) override;
    asio::awaitable<std::vector<SweptWorker>> sweep_dead_workers(Duration ttl) override;

    asio::awaitable<std::vector<Event>> load_log(Bucket bucket, RunId run) override;
    asio::awaitable<bool> request_cancel(Bucket bucket, RunId run, CancelOrder order) override;
    asio::awaitable<bool> enter_lock(LockPlace place) override;
    asio::awaitable<void> leave_lock(LockPlace place) override;
    asio::awaitable<std::optional<RunDetails>> find_run(Tenant tenant, RunId run) override;
    asio::awaitable<RunPage> list_runs(Tenant tenant, RunFilter filter) override;
    asio::awaitable<std::optional<EarlierChild>> earlier_child(CallBefore call) override;

    asio::awaitable<Applied> apply_workflow(Author author, const Definition& definition) override;
    asio::awaitable<std::optional<WorkflowVersion>> find_workflow(TenantId tenant, std::string name)
        override;
    asio::awaitable<std::optional<WorkflowVersion>> find_version(
        WorkflowId id, std::int32_t version
    ) override;
    asio::awaitable<std::optional<WorkflowVersion>> find_version_by_name(
        TenantId tenant, std::string name, std::int32_t version
    ) override;
    asio::awaitable<std::vector<WorkflowVersion>> list_workflows(
        TenantId tenant, WorkflowFilter filter
    ) override;
    asio::awaitable<std::vector<WorkflowVersion>> list_versions(TenantId tenant, std::string name)
        override;
    asio::awaitable<std::optional<Applied>> activate_workflow(
        Author author, std::string name, std::optional<std::int32_t> version
    ) override;
    asio::awaitable<bool> deactivate_workflow(Author author, std::string name) override;

    asio::awaitable<Health> health(Bucket bucket) override;

private:
    MemTables& tables_;
};

}  // namespace pawl::store
