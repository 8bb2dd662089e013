#pragma once

#include "pg/pool.hpp"
#include "store/pg/known_rows.hpp"
#include "store/store.hpp"

#include <functional>

namespace pawl::store {

// The Store on Postgres. Each operation borrows a connection of the pool for one round trip. The
// pool must outlive it; one PgStore a thread.
class PgStore final : public Store {
public:
    explicit PgStore(pg::Pool& pool) : pool_(pool) {}

    // Called after a commit that freed a place at a gate where runs wait, and after one that was
    // sent twice: the first answer is lost. A claim lets the next run in.
    std::function<void()> on_made_room = [] {};

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
    // Nothing when the workflow was written by SQL meanwhile: a sample must not replace it.
    asio::awaitable<std::optional<Applied>> publish_sample(TenantId tenant, Definition definition);
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

    // start_runs for runs without a worker, and notify_workers right behind it: two transactions,
    // one round trip.
    asio::awaitable<std::vector<Existing>> start_runs_and_notify(const StartBatch& batch);
    // A hint that there is work; losing it costs latency only.
    asio::awaitable<void> notify_workers(Bucket bucket);
    // Partitions of the weeks ahead; returns how many were made.
    asio::awaitable<int> ensure_partitions(int weeks_ahead);
    // Drops the weeks older than `keep`, one after the other; returns their names. Their runs that
    // are open, or closed within `keep`, are carried over. Starts and commits wait for some
    // milliseconds at most; what could not be done for that reason is left to a later call.
    asio::awaitable<std::vector<std::string>> drop_old_partitions(Duration keep);

private:
    asio::awaitable<pg::Rows> run(const pg::Query& query, pg::Params params);
    // start_runs, and `then` right behind it.
    asio::awaitable<std::vector<Existing>> start_and(
        const StartBatch& batch, std::optional<pg::Statement> then
    );
    asio::awaitable<std::vector<Existing>> start_current(
        const StartBatch& batch, std::optional<pg::Statement> then
    );
    asio::awaitable<std::vector<Existing>> start_at_once(
        const StartBatch& batch, std::optional<pg::Statement> then
    );
    // Those of the batch that were there before.
    std::vector<Existing> started(const StartBatch& batch, const pg::Rows& answer);
    Instant committed_at(
        const CommitBatch& batch, const std::vector<RunId>& held, const pg::Rows& answer
    );
    pg::Pool& pool_;
    KnownRows known_rows_;
};

}  // namespace pawl::store
