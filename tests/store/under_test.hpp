#pragma once

#include "pg/pool.hpp"
#include "store/mem/mem_store.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/loop.hpp"
#include "support/runs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace pawl::test {

// A store seen from plain test code. The coroutines are run in one translation unit, so the many
// test files stay quick to compile.
class StoreUnderTest {
public:
    virtual ~StoreUnderTest() = default;
    virtual store::Store& store() = 0;
    virtual Instant now() = 0;
    // Lets time pass for everything that is stored.
    virtual void elapse(Duration duration) = 0;

    store::WorkflowId workflow(const std::string& name = "hello");
    // Another tenant than the default one.
    virtual store::TenantId other_tenant() = 0;
    // A registered worker.
    WorkerId worker();
    // A started run; leased when a worker is given.
    RunId run(std::optional<WorkerId> holder = std::nullopt);
    RunId parked_run(WorkerId holder, std::optional<Instant> due = std::nullopt);

    std::vector<store::Existing> start(const store::StartBatch& batch);
    std::vector<store::Existing> start(std::vector<store::NewRun> runs);
    store::Claimed claim(WorkerId worker, int limit = 100);
    std::vector<RunId> claim_ids(WorkerId worker, int limit = 100);
    std::vector<RunId> leased(WorkerId worker, std::vector<RunId> held);
    Instant commit(const store::CommitBatch& batch);
    std::vector<store::Signal> signals(WorkerId worker);
    Instant heartbeat(WorkerId worker);
    void retire(WorkerId worker);
    std::vector<store::SweptWorker> sweep(Duration ttl);
    std::vector<Event> log(RunId run);
    bool cancel(RunId run, const std::string& reason = "test");
    std::vector<RunId> send(std::vector<store::NewSignal> signals);
    std::vector<bool> publish(std::vector<store::OutsideEvent> events);
    store::Matched match(int limit = 1000);
    std::optional<store::RunDetails> find(RunId run, store::Tenant tenant = {});
    std::string status(RunId run);  // "none" when there is no such run
    std::vector<RunId> list(const store::RunFilter& filter);
    store::RunPage page(const store::RunFilter& filter, store::Tenant tenant = {});
    store::Applied apply(const Definition& definition);
    std::optional<store::WorkflowVersion> find_workflow(const std::string& name);
    std::optional<store::WorkflowVersion> find_version(store::WorkflowId id, std::int32_t version);
    std::optional<store::WorkflowVersion> find_version(
        const std::string& name, std::int32_t version
    );
    std::vector<store::WorkflowVersion> list_workflows(const store::WorkflowFilter& filter = {});
    std::vector<store::WorkflowVersion> list_versions(const std::string& name);
    std::optional<store::Applied> activate(
        const std::string& name, std::optional<std::int32_t> version = std::nullopt
    );
    bool deactivate(const std::string& name);
    store::Health health();
    Instant register_worker(const store::WorkerInfo& info);

    Loop& loop() { return loop_; }

protected:
    Loop loop_;
};

class PgUnderTest final : public StoreUnderTest {
public:
    PgUnderTest();
    store::Store& store() override { return store_; }
    store::PgStore& pg() { return store_; }
    Instant now() override;
    store::TenantId other_tenant() override;
    void elapse(Duration duration) override;
    TestDatabase& database() { return database_; }
    pg::Pool& pool() { return pool_; }

private:
    TestDatabase database_;
    pg::Pool pool_;
    store::PgStore store_;
};

class MemUnderTest final : public StoreUnderTest {
public:
    MemUnderTest();
    store::Store& store() override { return store_; }
    Instant now() override { return tables_.now; }
    store::TenantId other_tenant() override { return 2; }
    void elapse(Duration duration) override { tables_.now += duration; }

private:
    store::MemTables tables_;
    store::MemStore store_;
};

template <class UnderTest>
class Conformance : public ::testing::Test {
protected:
    UnderTest db_;
};

struct StoreNames {
    template <class T>
    static std::string GetName(int) {  // NOLINT(readability-identifier-naming): gtest asks for it
        return std::is_same_v<T, PgUnderTest> ? "Pg" : "Mem";
    }
};
using Stores = ::testing::Types<PgUnderTest, MemUnderTest>;

// The batch of one worker with one thing in it.
store::CommitBatch appending(WorkerId worker, RunId run, std::vector<Event> events);
store::CommitBatch parking(WorkerId worker, RunId run, std::optional<Instant> due);
store::CommitBatch closing(
    WorkerId worker, RunId run, RunStatus status = RunStatus::completed, std::int32_t seq = 1
);

// The code of the Failure that an action throws.
template <class Action>
std::optional<Errc> failure_of(Action action) {
    try {
        action();
    } catch (const Failure& failure) {
        return failure.error().code;
    }
    return std::nullopt;
}

}  // namespace pawl::test
