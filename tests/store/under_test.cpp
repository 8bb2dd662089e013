#include "store/under_test.hpp"

#include <fmt/core.h>

namespace pawl::test {

namespace {

pg::PoolOptions pool_options(const std::string& url) {
    pg::PoolOptions options;
    options.connect.conninfo = url;
    options.connections_max = 10;
    return options;
}

std::vector<RunId> ids_of(const std::vector<store::LogRow>& log) {
    std::vector<RunId> ids;
    for (const auto& row : log) {
        if (ids.empty() || ids.back() != row.run) ids.push_back(row.run);
    }
    return ids;
}

}  // namespace

store::WorkflowId StoreUnderTest::workflow(const std::string& name) {
    return apply(line(name)).id;
}

WorkerId StoreUnderTest::worker() {
    const store::WorkerInfo info{new_worker_id(), "host", 42, "test"};
    register_worker(info);
    return info.id;
}

RunId StoreUnderTest::run(std::optional<WorkerId> holder) {
    store::StartBatch batch;
    batch.worker = holder;
    batch.runs.push_back(new_run(workflow()));
    batch.runs.back().lease = holder.has_value();
    start(batch);
    return batch.runs.back().id;
}

RunId StoreUnderTest::parked_run(WorkerId holder, std::optional<Instant> due) {
    const RunId id = run(holder);
    commit(parking(holder, id, due));
    return id;
}

std::vector<store::Existing> StoreUnderTest::start(const store::StartBatch& batch) {
    return loop_.run(store().start_runs(batch));
}

std::vector<store::Existing> StoreUnderTest::start(std::vector<store::NewRun> runs) {
    store::StartBatch batch;
    batch.runs = std::move(runs);
    return start(batch);
}

store::Claimed StoreUnderTest::claim(WorkerId worker, int limit) {
    return loop_.run(store().claim_runs({0, worker, limit}));
}

std::vector<RunId> StoreUnderTest::claim_ids(WorkerId worker, int limit) {
    return ids_of(claim(worker, limit).log);
}

std::vector<RunId> StoreUnderTest::leased(WorkerId worker, std::vector<RunId> held) {
    return ids_of(loop_.run(store().leased_runs(0, worker, std::move(held))));
}

Instant StoreUnderTest::commit(const store::CommitBatch& batch) {
    return loop_.run(store().commit_runs(batch));
}

std::vector<store::Signal> StoreUnderTest::signals(WorkerId worker) {
    return loop_.run(store().pending_signals(0, worker, leased(worker, {})));
}

Instant StoreUnderTest::register_worker(const store::WorkerInfo& info) {
    return loop_.run(store().register_worker(info));
}

Instant StoreUnderTest::heartbeat(WorkerId worker) {
    return loop_.run(store().heartbeat(worker));
}

void StoreUnderTest::retire(WorkerId worker) {
    loop_.run(store().retire_worker(worker));
}

std::vector<store::SweptWorker> StoreUnderTest::sweep(Duration ttl) {
    return loop_.run(store().sweep_dead_workers(ttl));
}

std::vector<Event> StoreUnderTest::log(RunId run) {
    return loop_.run(store().load_log(0, run));
}

bool StoreUnderTest::cancel(RunId run, const std::string& reason) {
    return loop_.run(store().request_cancel(0, run, {reason}));
}

std::vector<RunId> StoreUnderTest::send(std::vector<store::NewSignal> signals) {
    return loop_.run(store().send_signals(0, std::move(signals)));
}

std::vector<bool> StoreUnderTest::publish(std::vector<store::OutsideEvent> events) {
    return loop_.run(store().publish_events(0, std::move(events)));
}

store::Matched StoreUnderTest::match(int limit) {
    return loop_.run(store().match_inbox(0, limit));
}

std::optional<store::RunDetails> StoreUnderTest::find(RunId run, store::Tenant tenant) {
    return loop_.run(store().find_run(tenant, run));
}

std::string StoreUnderTest::status(RunId run) {
    const auto found = find(run);
    return found ? found->status : "none";
}

std::vector<RunId> StoreUnderTest::list(const store::RunFilter& filter) {
    std::vector<RunId> ids;
    for (const auto& run : page(filter).runs) ids.push_back(run.id);
    return ids;
}

store::RunPage StoreUnderTest::page(const store::RunFilter& filter, store::Tenant tenant) {
    return loop_.run(store().list_runs(tenant, filter));
}

store::Applied StoreUnderTest::apply(const Definition& definition) {
    return loop_.run(store().apply_workflow(store::default_tenant, definition));
}

std::optional<store::WorkflowVersion> StoreUnderTest::find_workflow(const std::string& name) {
    return loop_.run(store().find_workflow(store::default_tenant, name));
}

std::optional<store::WorkflowVersion> StoreUnderTest::find_version(
    store::WorkflowId id, std::int32_t version
) {
    return loop_.run(store().find_version(id, version));
}

std::optional<store::WorkflowVersion> StoreUnderTest::find_version(
    const std::string& name, std::int32_t version
) {
    return loop_.run(store().find_version_by_name(store::default_tenant, name, version));
}

std::vector<store::WorkflowVersion> StoreUnderTest::list_workflows(
    const store::WorkflowFilter& filter
) {
    return loop_.run(store().list_workflows(store::default_tenant, filter));
}

std::vector<store::WorkflowVersion> StoreUnderTest::list_versions(const std::string& name) {
    return loop_.run(store().list_versions(store::default_tenant, name));
}

std::optional<store::Applied> StoreUnderTest::activate(
    const std::string& name, std::optional<std::int32_t> version
) {
    return loop_.run(store().activate_workflow(store::default_tenant, name, version));
}

bool StoreUnderTest::deactivate(const std::string& name) {
    return loop_.run(store().deactivate_workflow(store::default_tenant, name));
}

store::Health StoreUnderTest::health() {
    return loop_.run(store().health(0));
}

PgUnderTest::PgUnderTest()
    : pool_(loop_.context().get_executor(), pool_options(database_.url())), store_(pool_) {}

store::TenantId PgUnderTest::other_tenant() {
    return std::stoi(database_.session().value(
        "insert into pawl.tenant (name) values ('other') returning id::text"
    ));
}

Instant PgUnderTest::now() {
    const auto micros =
        database_.session().value("select (extract(epoch from now()) * 1000000)::bigint::text");
    return Instant(std::chrono::microseconds(std::stoll(micros)));
}

void PgUnderTest::elapse(Duration duration) {
    database_.session().script(fmt::format(
        "update pawl.worker set beat_at = beat_at - interval '{0} microseconds';"
        "update pawl.live_run set due_at = due_at - interval '{0} microseconds';"
        "update pawl.reentry set at = at - interval '{0} microseconds';"
        "update pawl.flow_rate set next_at = next_at - interval '{0} microseconds';"
        "update pawl.flow_group set first_at = first_at - interval '{0} microseconds'",
        duration.count()
    ));
}

MemUnderTest::MemUnderTest() : store_(tables_) {
    tables_.now = wall_now();
}

store::CommitBatch appending(WorkerId worker, RunId run, std::vector<Event> events) {
    store::CommitBatch batch;
    batch.worker = worker;
    for (Event& event : events) batch.events.push_back({run, std::move(event)});
    return batch;
}

store::CommitBatch parking(WorkerId worker, RunId run, std::optional<Instant> due) {
    store::CommitBatch batch;
    batch.worker = worker;
    batch.parks.push_back({run, due});
    return batch;
}

store::CommitBatch closing(WorkerId worker, RunId run, RunStatus status, std::int32_t seq) {
    auto batch = appending(worker, run, {run_completed(seq)});
    store::Close close;
    close.run = run;
    close.started_at = Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
    close.workflow = 1;
    close.status = status;
    close.subject = "order 7";
    if (status == RunStatus::completed) close.output = json::object{{"done", true}};
    if (status == RunStatus::failed) {
        close.node = "step_1";
        close.error = json::object{{"code", "http_503"}, {"message", "server 17 said no"}};
    }
    batch.closes.push_back(std::move(close));
    return batch;
}

}  // namespace pawl::test
