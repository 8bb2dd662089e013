#include "store/mem/mem_store.hpp"

namespace pawl::store {

asio::awaitable<std::vector<Existing>> MemStore::start_runs(const StartBatch& batch) {
    co_return tables_.start_runs(batch);
}

asio::awaitable<Claimed> MemStore::claim_runs(ClaimParams params) {
    co_return tables_.claim_runs(params);
}

asio::awaitable<std::vector<LogRow>> MemStore::leased_runs(
    Bucket bucket, WorkerId worker, std::vector<RunId> held
) {
    co_return tables_.leased_runs(bucket, worker, held);
}

asio::awaitable<Instant> MemStore::commit_runs(const CommitBatch& batch) {
    co_return tables_.commit_runs(batch);
}

// Claims of this store fail for all runs or for none.
asio::awaitable<std::vector<Unclaimable>> MemStore::put_off_unclaimable(Bucket, WorkerId, int) {
    co_return std::vector<Unclaimable>{};
}

asio::awaitable<std::vector<RunId>> MemStore::mend_runs(Bucket bucket, std::vector<RunId> runs) {
    co_return tables_.mend_runs(bucket, runs);
}

asio::awaitable<std::vector<Signal>> MemStore::pending_signals(
    Bucket bucket, WorkerId worker, std::vector<RunId> held
) {
    co_return tables_.pending_signals(bucket, worker, held);
}

asio::awaitable<std::vector<RunId>> MemStore::send_signals(
    Bucket bucket, std::vector<NewSignal> signals
) {
    co_return tables_.send_signals(bucket, signals);
}

asio::awaitable<std::vector<bool>> MemStore::publish_events(
    Bucket bucket, std::vector<OutsideEvent> events
) {
    co_return tables_.publish_events(bucket, events);
}

asio::awaitable<Matched> MemStore::match_inbox(Bucket bucket, int limit) {
    co_return tables_.match_inbox(bucket, limit);
}

asio::awaitable<Instant> MemStore::register_worker(WorkerInfo worker) {
    co_return tables_.register_worker(worker);
}

asio::awaitable<Instant> MemStore::heartbeat(WorkerId worker) {
    co_return tables_.heartbeat(worker);
}

asio::awaitable<void> MemStore::retire_worker(WorkerId worker) {
    tables_.retire_worker(worker);
    co_return;
}

asio::awaitable<std::vector<SweptWorker>> MemStore::sweep_dead_workers(Duration ttl) {
    co_return tables_.sweep_dead_workers(ttl);
}

asio::awaitable<std::vector<Event>> MemStore::load_log(Bucket bucket, RunId run) {
    co_return tables_.load_log(bucket, run);
}

asio::awaitable<bool> MemStore::enter_lock(LockPlace place) {
    co_return tables_.enter_lock(std::move(place));
}

asio::awaitable<void> MemStore::leave_lock(LockPlace place) {
    tables_.leave_locks([&](const LockPlace& one) {
        return one.run == place.run && one.token == place.token && one.key == place.key;
    });
    co_return;
}

asio::awaitable<bool> MemStore::request_cancel(Bucket bucket, RunId run, CancelOrder order) {
    co_return tables_.request_cancel(bucket, run, order);
}

asio::awaitable<std::optional<RunDetails>> MemStore::find_run(Tenant tenant, RunId run) {
    co_return tables_.find_run(tenant, run);
}

asio::awaitable<RunPage> MemStore::list_runs(Tenant tenant, RunFilter filter) {
    co_return tables_.list_runs(tenant, filter);
}

asio::awaitable<std::optional<EarlierChild>> MemStore::earlier_child(CallBefore call) {
    co_return tables_.earlier_child(call);
}

asio::awaitable<Applied> MemStore::apply_workflow(Author author, const Definition& definition) {
    co_return tables_.apply_workflow(author.tenant, definition);
}

asio::awaitable<std::optional<WorkflowVersion>> MemStore::find_workflow(
    TenantId tenant, std::string name
) {
    co_return tables_.find_workflow(tenant, name);
}

asio::awaitable<std::optional<WorkflowVersion>> MemStore::find_version(
    WorkflowId id, std::int32_t version
) {
    co_return tables_.find_version(id, version);
}

asio::awaitable<std::optional<WorkflowVersion>> MemStore::find_version_by_name(
    TenantId tenant, std::string name, std::int32_t version
) {
    co_return tables_.find_version_by_name(tenant, name, version);
}

asio::awaitable<std::vector<WorkflowVersion>> MemStore::list_workflows(
    TenantId tenant, WorkflowFilter filter
) {
    co_return tables_.list_workflows(tenant, filter);
}

asio::awaitable<std::vector<WorkflowVersion>> MemStore::list_versions(
    TenantId tenant, std::string name
) {
    co_return tables_.list_versions(tenant, name);
}

asio::awaitable<std::optional<Applied>> MemStore::activate_workflow(
    Author author, std::string name, std::optional<std::int32_t> version
) {
    co_return tables_.activate_workflow(author.tenant, name, version);
}

asio::awaitable<bool> MemStore::deactivate_workflow(Author author, std::string name) {
    co_return tables_.deactivate_workflow(author.tenant, name);
}

asio::awaitable<Health> MemStore::health(Bucket bucket) {
    co_return tables_.health(bucket);
}

}  // namespace pawl::store
